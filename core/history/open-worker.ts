/** The workers that live, for the sums of their time: one row for each, from its place on a machine to its stop. */
import * as z from 'zod/mini';
import type { TaskEvent } from '../fleet/event.ts';
import { type Starts, type StartTimes, startSchema } from '../fleet/start.ts';

/** A worker that has a place on a machine and has not stopped. */
export const openWorkerSchema = z.extend(startSchema, { endpoint: z.string(), worker: z.string() });
export type OpenWorker = z.infer<typeof openWorkerSchema>;

export interface OpenWorkers {
  /** Whether the deployment keeps a history. */
  readonly isKept: boolean;
  save(worker: OpenWorker): Promise<void>;
  remove(endpoint: string, worker: string): Promise<void>;
  list(endpoint: string): Promise<readonly OpenWorker[]>;
}

/** Returns when the worker got its place on a machine, in milliseconds since the epoch, if it has one. */
export const beginOfLife = ({ placedAt, pullStartedAt, startedAt }: StartTimes): number | undefined =>
  placedAt ?? pullStartedAt ?? startedAt;

/**
 * Stores that a worker lives, or removes it when it has stopped. Events can arrive twice, late and in any order: a start
 * that has a stop is never stored.
 * @param start times of the worker's start, from all events
 */
export async function saveOpenWorker(
  { openWorkers, starts }: { readonly openWorkers: OpenWorkers; readonly starts: Starts },
  endpoint: string,
  { worker }: Pick<TaskEvent, 'worker'>,
  start: StartTimes,
): Promise<void> {
  if (!openWorkers.isKept || beginOfLife(start) === undefined) return;
  if (start.stoppedAt !== undefined) return openWorkers.remove(endpoint, worker);
  await openWorkers.save({ ...start, endpoint, worker });
  // The event of the stop can have been processed between the read of the start and the write.
  const now = await starts.readNow(endpoint, worker);
  if (now?.times?.stoppedAt !== undefined) await openWorkers.remove(endpoint, worker);
}
