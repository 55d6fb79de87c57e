/** The history of workers: one row for each worker that has stopped. */
import * as z from 'zod/mini';
import { startSchema } from '../fleet/start.ts';

const text = z.optional(z.string());

/** A worker that has stopped, with the times of its start. Times are in milliseconds since the epoch. */
export const endedWorkerSchema = z.extend(startSchema, {
  endpoint: z.string(),
  /** Id of the task. */
  worker: z.string(),
  revision: z.optional(z.int()),
  /** Capacity provider or launch type of the task. */
  capacity: text,
  endedAt: z.number(),
  /** Why ECS stopped the task, such as `EssentialContainerExited`. */
  stopCode: text,
  /** Messages of ECS about the stop, at most `historyLimits.stopReason` bytes. */
  reason: text,
  /** The container whose exit stopped the task, and its exit code. */
  container: text,
  exitCode: z.optional(z.int()),
});
export type EndedWorker = z.infer<typeof endedWorkerSchema>;
