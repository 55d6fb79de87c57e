/** A worker's proof of life: one item per worker, renewed every `BEAT`, naming the jobs it holds. */
import * as z from 'zod/mini';

export const leaseSchema = z.object({
  endpoint: z.string(),
  worker: z.string(),
  /** Ids of the jobs that it runs. */
  jobs: z.array(z.string()),
  /** Milliseconds since the epoch; a lease in the past proves nothing. */
  endsAt: z.number(),
  /** Since when it has had no job, in milliseconds since the epoch; absent while it has one. */
  idleSince: z.optional(z.number()),
  removeAfter: z.number(),
});
export type Lease = z.infer<typeof leaseSchema>;

export const isAlive = (lease: Lease | undefined, now: number): boolean => lease !== undefined && lease.endsAt >= now;

/** Whether the worker must not be taken away: it holds jobs, or held one within the idle time. */
export function holdsWorker(lease: Lease, idleTimeout: number, now: number): boolean {
  if (!isAlive(lease, now)) return false;
  return lease.jobs.length > 0 || lease.idleSince === undefined || now - lease.idleSince < idleTimeout;
}
