/** Whether a job has changed a short time ago: a page then asks for it more often. */
import { useRef } from 'react';
import type { LoggedJob } from './job.ts';

/** What a page knows of a job so far. */
type Known = { readonly [Field in keyof LoggedJob]?: LoggedJob[Field] | undefined };

/** Milliseconds. */
const SHORT = 30_000;

/**
 * @returns whether the job is new or has changed within the last 30 s; call it each time that the page asks for the job
 */
export function useRecent(): (job: Known) => boolean {
  const last = useRef({ known: '', at: 0 });
  return ({ id, status, attempts }) => {
    const known = `${id} ${status} ${attempts}`;
    const now = Date.now();
    if (last.current.known !== known) last.current = { known, at: now };
    return now - last.current.at < SHORT;
  };
}
