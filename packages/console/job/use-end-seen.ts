/** Remembers when a page saw a job end. */
import { useEffect, useState } from 'react';
import { hasEnded, type Job } from './job.ts';

/**
 * Returns when the page saw the job end, in milliseconds since the epoch; undefined if the job has not ended, or had
 * ended before the page first read it.
 */
export function useEndSeen(job: Job | undefined): number | undefined {
  const [livedId, setLivedId] = useState<string>();
  const [seenAt, setSeenAt] = useState<number>();
  const id = job?.id;
  const over = job && hasEnded(job);
  useEffect(() => {
    if (over === false) {
      setLivedId(id);
      setSeenAt(undefined);
    } else if (over && livedId === id) setSeenAt((before) => before ?? Date.now());
  }, [over, livedId, id]);
  return over && livedId === id ? seenAt : undefined;
}
