/** Finds whether a job has changed recently. A page then reads it more often. */
import { useRef } from 'react';
import type { LoggedJob } from './job.ts';

/** Last known state of a job. */
type Known = { readonly [Field in keyof LoggedJob]?: LoggedJob[Field] | undefined };

/** Milliseconds. */
const SHORT = 30_000;

/**
 * @returns a function that returns whether the job is new or has changed within the last 30 s; call it for each
 * read of the job
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
