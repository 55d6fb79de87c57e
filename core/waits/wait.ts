/** Waits for jobs to end. */

import { type FindPorts, type Found, find, foundFrom } from '../jobs/find.ts';
import type { Job, JobKey } from '../jobs/job.ts';
import { lookLimits, SECOND, waitLimits } from '../limits.ts';
import { milliseconds, parseQueryNumber, type QueryValue, validate } from '../validation.ts';

/**
 * Parses the query parameter `wait`, in milliseconds.
 * @param otherwise default value
 * @throws InvalidRequest with the value and the bounds
 */
export function parseWait(value: QueryValue | undefined, otherwise: number = waitLimits.default): number {
  if (value === undefined) return otherwise;
  return validate(milliseconds(waitLimits), parseQueryNumber(value), 'wait');
}

export interface WaitOptions {
  /** Aborted when the client closes its connection, after which the next read is the last. */
  readonly gone?: AbortSignal | undefined;
  /** Whether this call has just stored the job, which therefore needs no read before the first pause. */
  readonly isNew?: boolean;
}

/**
 * Waits until the job has ended or the time is over. @param hold called before each pause; throws to refuse the
 * wait
 * @returns the job at that time
 * @throws as `find`, and as `hold`
 */
export async function waitFor(
  ports: FindPorts,
  key: JobKey,
  wait: number,
  hold: () => Promise<void>,
  { gone, isNew = false }: WaitOptions = {},
): Promise<Job> {
  const watched = watch(ports, key, wait, { gone, isForEnd: true });
  let job = isNew ? undefined : (await find(ports, key)).job;
  while (!job || (!isOver(job) && !watched.isOver())) {
    await hold();
    job = await watched.next();
  }
  return job;
}

/**
 * Number of ticks in a second. All waiting calls of a process share their reads of jobs, so that a process with
 * thousands of calls reads many jobs at the same time.
 *
 * Reads take place at ticks, which are `lookLimits.tick` apart. For `lookLimits.often` after its start and after
 * each change of its job, a call reads at each tick. After that, it reads once a second, at the tick of its job.
 * All calls for a job have the same tick, and different jobs have different ticks.
 *
 * The first reads of a call are closer together, at finer ticks, so that the answer to a job of a few milliseconds is
 * not late. The pause before each of them is half of the time that the call has waited.
 */
const TICKS = SECOND / lookLimits.tick;

/**
 * The first reads of calls: milliseconds between their ticks, milliseconds before the first one, in which hardly any job
 * ends, and how many take place in a second.
 */
const firstReads = { tick: 5, after: 10, most: 100 } as const;

/** The job, or the failure of its read. */
type Seen = Pick<Found, 'job'> | { readonly failure: unknown };

interface Look {
  readonly key: JobKey;
  readonly seen: PromiseWithResolvers<Seen>;
}

/** Returns the number of the tick, within each second, at which calls read the job after `lookLimits.often`. */
function tickOf({ id }: JobKey): number {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + character.charCodeAt(0)) % 1_000_003;
  return sum % TICKS;
}

/** Pending reads of the jobs of one table and one clock, by their time. */
class Looks {
  readonly #ports: FindPorts;
  readonly #due = new Map<number, Map<string, Look>>();
  /** The second of the last read between two ticks, and the number of these reads in this second. */
  #second = 0;
  #betweenTicks = 0;

  constructor(ports: FindPorts) {
    this.#ports = ports;
  }

  /**
   * Returns whether a read at a fine tick is permitted. The limit keeps a process with thousands of short calls from
   * making a call to DynamoDB for each.
   */
  permitsBetweenTicks(time: number): boolean {
    if (this.#due.has(time)) return true;
    const second = Math.floor(time / SECOND);
    if (second !== this.#second) [this.#second, this.#betweenTicks] = [second, 0];
    this.#betweenTicks += 1;
    return this.#betweenTicks <= firstReads.most;
  }

  /**
   * Reads the job at the given time, once for all callers. Throws as `find`, but returns the failure of a read.
   */
  at(time: number, key: JobKey): Promise<Seen> {
    let looks = this.#due.get(time);
    if (!looks) {
      looks = new Map();
      this.#due.set(time, looks);
      void this.#wait(time, looks);
    }
    const name = `${key.endpoint}/${key.id}`;
    const look = looks.get(name) ?? { key, seen: Promise.withResolvers<Seen>() };
    looks.set(name, look);
    return look.seen.promise;
  }

  async #wait(time: number, due: Map<string, Look>): Promise<void> {
    const { clock } = this.#ports;
    let failure: { readonly error: unknown } | undefined;
    await clock.pause(Math.max(0, time - clock.now())).catch((error: unknown) => {
      failure = { error };
    });
    this.#due.delete(time);
    const looks = [...due.values()];
    if (failure) for (const { seen } of looks) seen.reject(failure.error);
    else for (let n = 0; n < looks.length; n += lookLimits.batch) void this.#read(looks.slice(n, n + lookLimits.batch));
  }

  async #read(looks: readonly Look[]): Promise<void> {
    try {
      const jobs = await this.#ports.jobs.readMany(looks.map(({ key }) => key));
      for (const [n, { key, seen }] of looks.entries()) {
        const job = jobs[n];
        if (job !== 'not read') seen.resolve(foundFrom(this.#ports, key, job));
        else seen.resolve({ failure: new Error(`DynamoDB did not process the read of job ${key.id} in a batch.`) });
      }
    } catch (failure) {
      for (const { seen } of looks) seen.resolve({ failure });
    }
  }
}

/** Shared reads by store and clock, because each call can wrap these in its own ports object. */
const looksOf = new WeakMap<FindPorts['jobs'], WeakMap<FindPorts['clock'], Looks>>();

function sharedLooks(ports: FindPorts): Looks {
  const byClock = looksOf.get(ports.jobs) ?? new WeakMap<FindPorts['clock'], Looks>();
  looksOf.set(ports.jobs, byClock);
  const { clock, endpoints, jobs } = ports;
  const looks = byClock.get(clock) ?? new Looks({ clock, endpoints, jobs });
  byClock.set(clock, looks);
  return looks;
}

export const isOver = (job: Job): boolean => 'finishedAt' in job;

/** Reads of one call's job. */
export interface Watch {
  /** Returns whether the time of the call is over. */
  isOver(): boolean;
  /** Waits for the next read. The last read is at the last tick before the end of the call. @throws as `find` */
  next(): Promise<Job>;
  /**
   * Waits for the next tick without reading the job.
   * @param took duration of the caller's own read in milliseconds; a longer read causes a longer pause
   */
  tick(took: number): Promise<void>;
  /** Makes the call read at each tick again for `lookLimits.often`. */
  hasten(): void;
}

export interface WatchOptions {
  /** Aborted to end the call early. */
  readonly gone?: AbortSignal | undefined;
  /** Whether the call only waits for the end of the job, so that its first reads are closer together. */
  readonly isForEnd?: boolean;
}

/**
 * Watches a job for a waiting call.
 * @param wait milliseconds until the end of the call
 */
export function watch(
  ports: FindPorts,
  key: JobKey,
  wait: number,
  { gone, isForEnd = false }: WatchOptions = {},
): Watch {
  const { clock } = ports;
  const looks = sharedLooks(ports);
  const [start, ownTick] = [clock.now(), tickOf(key)];
  const end = start + wait;
  const lastTick = Math.floor(end / lookLimits.tick) * lookLimits.tick;
  let hastened = start;
  let last = start;
  let lastRead = start;

  /**
   * Returns the first tick after a pause, which is longer after a slow read, because a slow read indicates many
   * calls.
   */
  function tickAfter(from: number, now: number, tick: number = lookLimits.tick): number {
    const next = Math.floor(Math.max(now, from) / tick) + 1;
    const rest = Math.min(now + lookLimits.perLook * (now - from), from + SECOND);
    return Math.max(next, Math.ceil(rest / tick)) * tick;
  }

  /** Returns the time of the next of the first reads, or undefined after these. */
  function firstTickAfter(now: number): number | undefined {
    const { tick, after } = firstReads;
    const pause = last === start ? after : Math.max(tick, (last - start) / 2);
    if (!isForEnd || pause >= lookLimits.tick) return undefined;
    return Math.max(tickAfter(last, now, tick), Math.floor((last + pause) / tick) * tick);
  }

  /** Returns the time of the next read of the job. */
  function nextTime(): number {
    const now = clock.now();
    if (now - hastened < lookLimits.often) {
      const first = firstTickAfter(now);
      return first !== undefined && looks.permitsBetweenTicks(first) ? first : tickAfter(last, now);
    }
    const next = Math.floor(Math.max(now, last) / lookLimits.tick) + 1;
    return (next + ((ownTick - (next % TICKS) + TICKS) % TICKS)) * lookLimits.tick;
  }

  /**
   * Returns the job from the next successful read. Reads can fail, because a batch has jobs of many endpoints, any
   * of which can be throttled.
   */
  async function look(): Promise<Job> {
    for (;;) {
      last = Math.min(nextTime(), lastTick);
      const seen = await looks.at(last, key);
      if ('job' in seen) {
        lastRead = clock.now();
        return seen.job;
      }
      if (last === lastTick || gone?.aborted) return (await find(ports, key)).job;
      if (clock.now() - lastRead >= lookLimits.failing) throw seen.failure;
    }
  }

  return {
    isOver: () => gone?.aborted === true || clock.now() >= end,

    async next() {
      const job = await look();
      // The last read is also shared, so each call still waits for its own end.
      if (last === lastTick && !isOver(job)) await clock.pause(Math.max(0, end - clock.now()));
      return job;
    },

    async tick(took) {
      const now = clock.now();
      last = tickAfter(now - took, now);
      await clock.pause(Math.min(last, end) - now);
    },

    hasten() {
      hastened = clock.now();
    },
  };
}
