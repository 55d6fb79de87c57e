/**
 * What the agent's log says of the jobs that its worker holds. These lines tell which job has the worker for itself, and
 * from when to when: what its container prints then, though the container does not know of jobs, is that job's.
 */
import * as z from 'zod/mini';

/** The fields of a line that says that a job is held from now on, or no more. A job is held before the container has it. */
export const holdFields = z.object({
  jobId: z.string(),
  holds: z.boolean(),
  /** How many jobs the worker holds from now on. */
  held: z.number(),
});
export type HoldFields = z.infer<typeof holdFields>;

export interface Hold extends HoldFields {
  /** Milliseconds since the epoch, by the agent's clock. */
  readonly time: number;
}

/** From `from` on, and before `to`; in milliseconds since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Tenure {
  /** When the worker held the job and no other. */
  readonly alone: readonly Span[];
  /** When it let go of the job, if it has. */
  readonly endedAt?: number;
}

/**
 * When the worker was a job's alone, by what its agent has said since the job was taken.
 * @param holds in the order of time
 * @param until when the job is known to be held at the latest, where the agent has not said that it is not
 */
export function tenureOf(jobId: string, holds: readonly Hold[], until: number): Tenure {
  const alone: Span[] = [];
  let isHeld = false;
  let since: number | undefined;
  for (const hold of holds) {
    if (since !== undefined) alone.push({ from: since, to: hold.time });
    if (hold.jobId === jobId) isHeld = hold.holds;
    since = isHeld && hold.held === 1 ? hold.time : undefined;
    if (hold.jobId === jobId && !hold.holds) return { alone, endedAt: hold.time };
  }
  if (since !== undefined) alone.push({ from: since, to: until });
  return { alone };
}
