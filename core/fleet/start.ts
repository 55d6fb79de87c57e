/**
 * The start of a worker: when ECS, its instance and its agent completed each step. Events can arrive twice, late and in
 * any order, so times are merged by rules that do not depend on the order.
 */
import * as z from 'zod/mini';
import { DAY, LATEST } from '../limits.ts';
import { CONFLICT, conflictTries, retryOnConflict } from '../stored-items/conflicts.ts';

/** Retention of starts, longer than a job can wait and its result is kept. */
export const STARTS_KEPT = 30 * DAY;

/** User code can write the start of its worker. A longer id would not be a valid key. */
const MAX_ID_LENGTH = 100;

/** Milliseconds since the epoch. */
const time = z.int().check(z.gte(0), z.lte(LATEST));

export const startSchema = z.object({
  /** Id of the instance in ECS; absent on Fargate. */
  instance: z.optional(z.string().check(z.minLength(1), z.maxLength(MAX_ID_LENGTH))),
  /** When ECS created the task, which is when the service asked for the worker. */
  createdAt: z.optional(time),
  /** When the first event reported that the task has a place on a machine. */
  placedAt: z.optional(time),
  pullStartedAt: z.optional(time),
  pullStoppedAt: z.optional(time),
  /** When the last container of the task began to run. */
  startedAt: z.optional(time),
  /** When the container first asked for jobs. */
  readyAt: z.optional(time),
  /** When the task stopped. */
  stoppedAt: z.optional(time),
});

/** Times of a worker's start, as far as they are known. */
export type StartTimes = z.infer<typeof startSchema>;

export const instanceSchema = z.object({
  /** Id in ECS of a registered instance, and in EC2 of a launched one. */
  id: z.string(),
  /** Id in EC2 of a registered instance. */
  ec2: z.optional(z.string().check(z.minLength(1), z.maxLength(MAX_ID_LENGTH))),
  /** Type of a registered instance, such as `g6.xlarge`. */
  type: z.optional(z.string().check(z.minLength(1), z.maxLength(MAX_ID_LENGTH))),
  /** When EC2 had last launched the instance. */
  launchedAt: z.optional(time),
  /** When the instance registered with ECS. */
  registeredAt: z.optional(time),
});

/** The time at which an instance was launched or registered. */
export type InstanceTimes = z.infer<typeof instanceSchema>;

/** The times of a worker's start, and the type and the times of its instance, which are absent on Fargate. */
export type WorkerStart = StartTimes & Pick<InstanceTimes, 'launchedAt' | 'registeredAt' | 'type'>;

/** A stored start, and the version that a write of the start replaces; both are absent if none is stored. */
export interface StoredStart {
  readonly times?: StartTimes | undefined;
  readonly version?: unknown;
}

/** The store of starts and of instances: one item per worker, and two per instance, kept for `STARTS_KEPT`. */
export interface Starts {
  /** Returns the start of a worker with the times of its instance, or undefined if there is none or it has expired. */
  read(endpoint: string, worker: string): Promise<WorkerStart | undefined>;
  /** Reads the start strongly consistent. Returns undefined if a newer version of the service has written it. */
  readNow(endpoint: string, worker: string): Promise<StoredStart | undefined>;
  /**
   * Stores the start.
   * @returns false if another writer has changed the stored start
   */
  write(endpoint: string, worker: string, times: StartTimes, stored: StoredStart): Promise<boolean>;
  /** Stores when an instance was launched or registered. A launch replaces an earlier one. */
  saveInstance(instance: InstanceTimes): Promise<void>;
}

type TimeName = Exclude<keyof StartTimes, 'instance'>;

/** ECS can report a later end of the pull while it pulls the images of further containers. */
const merges: Readonly<Record<TimeName, (...times: number[]) => number>> = {
  createdAt: Math.min,
  placedAt: Math.min,
  pullStartedAt: Math.min,
  pullStoppedAt: Math.max,
  startedAt: Math.min,
  readyAt: Math.min,
  stoppedAt: Math.min,
};

const names = Object.keys(merges) as TimeName[];

const isTime = (value: number | undefined): value is number => time.safeParse(value).success;

/** Merges times of one start. The order does not matter, and repeated times change nothing. */
export function mergeTimes(...all: readonly StartTimes[]): StartTimes {
  const merged = names.flatMap((name) => {
    const times = all.map((each) => each[name]).filter(isTime);
    return times.length > 0 ? [[name, merges[name](...times)] as const] : [];
  });
  // A task has only one instance.
  const instance = all.map((each) => each.instance).find(Boolean);
  return { ...(instance && { instance }), ...Object.fromEntries(merged) };
}

/** Returns the earliest time of a start. */
export const beginOf = (start: StartTimes): number => Math.min(...names.map((name) => start[name]).filter(isTime));

const isSame = (one: StartTimes, other: StartTimes) =>
  one.instance === other.instance && names.every((name) => one[name] === other[name]);

/**
 * Adds times to the start of a worker. Writes nothing if the stored start has them.
 * @returns the times with those of the stored start
 */
export async function saveStart(
  { starts }: { readonly starts: Starts },
  endpoint: string,
  worker: string,
  times: StartTimes,
): Promise<StartTimes> {
  if (!Number.isFinite(beginOf(times))) return times;
  return retryOnConflict(`the start of worker ${worker} of ${endpoint}`, conflictTries.start, async () => {
    const stored = await starts.readNow(endpoint, worker);
    if (!stored) return times;
    const before = stored.times ?? {};
    const merged = mergeTimes(before, times);
    if (isSame(merged, before)) return merged;
    return (await starts.write(endpoint, worker, merged, stored)) ? merged : CONFLICT;
  });
}
