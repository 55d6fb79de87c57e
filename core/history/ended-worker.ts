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
  /** Type of the instance, such as `g6.xlarge`; absent on Fargate. */
  type: text,
  /** When the instance was launched and registered. */
  launchedAt: z.optional(z.number()),
  registeredAt: z.optional(z.number()),
  endedAt: z.number(),
  /** Why ECS stopped the task, such as `EssentialContainerExited`. */
  stopCode: text,
  /** Messages of ECS about the stop, at most `historyLimits.stopReason` bytes. */
  reason: text,
  /** The container whose exit stopped the task, and its exit code. */
  container: text,
  exitCode: z.optional(z.int()),
  /** Price of the worker's time in US dollars; absent if the price is unknown or the worker never had a machine. */
  dollars: z.optional(z.number().check(z.gte(0))),
});
export type EndedWorker = z.infer<typeof endedWorkerSchema>;
