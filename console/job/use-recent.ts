/** Whether something has happened a short time ago: a page then asks more often. */
import { useRef } from 'react';

/** Milliseconds. */
const SHORT = 30_000;

/** @returns whether `what` is new or has changed within the last 30 s; call it with what the page knows, each time it does */
export function useRecent(): (what: string) => boolean {
  const last = useRef({ what: '', at: 0 });
  return (what) => {
    const now = Date.now();
    if (last.current.what !== what) last.current = { what, at: now };
    return now - last.current.at < SHORT;
  };
}
