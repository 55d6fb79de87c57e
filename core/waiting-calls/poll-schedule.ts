/**
 * When a waiting call reads its job.
 *
 * Calls read at ticks, times that are multiples of `pollLimits.tick` for all calls of a process, so that one batch reads
 * the jobs of many calls. A call reads its job at each tick while the job is likely to change: for `pollLimits.fastFor`
 * after its start, and again after each `pollFaster`. After that, it reads once a second. All calls for one job then use
 * the same tick of each second, and different jobs use different ticks.
 *
 * A call that waits for the end of its job also reads between ticks at first, so that the answer to a job of a few
 * milliseconds is not late. The pause before each of these reads is half of the time from the start of the call to the
 * previous read, for example: 10, 15, 20, 30, 45 ms after the start. No scheduled read is later than `lastTick`, the
 * last tick before the end of the call.
 */
import type { JobKey } from '../jobs/job.ts';
import { pollLimits, SECOND } from '../limits.ts';

/** The reads between ticks of a call that waits for the end of its job. */
export const firstPollLimits = {
  /** Their times are multiples of this number of milliseconds. */
  step: 5,
  /** Milliseconds before the first of them. Hardly any job ends earlier. */
  firstPause: 10,
  /** Maximum number of batches of them that a process reads in a second. */
  maxPerSecond: 100,
} as const;

const TICKS_PER_SECOND = SECOND / pollLimits.tick;

export interface PollOptions {
  /** Start and end of the call, in milliseconds since the epoch. */
  readonly start: number;
  readonly end: number;
  /** Whether the call only waits for the end of the job, so that its first reads are between ticks. */
  readonly isForEnd: boolean;
  /**
   * Reserves a read between ticks.
   * @returns false if the process has too many of them
   */
  readonly reserveBetweenTicks: (time: number) => boolean;
}

/** The times of the reads of one call. All times are milliseconds since the epoch. */
export class PollSchedule {
  /** The last tick before the end of the call. */
  readonly lastTick: number;
  readonly #options: PollOptions;
  /** Number of the tick, within each second, at which the call reads its job when it polls slowly. */
  readonly #ownTick: number;
  /** Time of the previous read; the start of the call before the first read. */
  #previous: number;
  /** Since when the call reads at each tick. */
  #fastSince: number;

  constructor(key: JobKey, options: PollOptions) {
    const { start, end } = options;
    this.#options = options;
    this.#ownTick = tickOf(key);
    this.#previous = start;
    this.#fastSince = start;
    this.lastTick = Math.floor(end / pollLimits.tick) * pollLimits.tick;
  }

  /** Returns the time of the next read of the job. */
  next(now: number): number {
    const time = now - this.#fastSince < pollLimits.fastFor ? this.#nextFast(now) : this.#nextSlow(now);
    this.#previous = Math.min(time, this.lastTick);
    return this.#previous;
  }

  /**
   * Returns the time of the next tick after the caller's own read, which has just ended.
   * @param took duration of that read in milliseconds
   */
  afterOwnRead(now: number, took: number): number {
    this.#previous = tickAfterRead(now - took, now);
    return this.#previous;
  }

  pollFaster(now: number): void {
    this.#fastSince = now;
  }

  #nextFast(now: number): number {
    const first = this.#nextBetweenTicks(now);
    if (first !== undefined && this.#options.reserveBetweenTicks(first)) return first;
    return tickAfterRead(this.#previous, now);
  }

  /**
   * Returns the time of the next read between ticks, or undefined if the call does not wait for the end, or if the pause
   * before the read is as long as a tick.
   */
  #nextBetweenTicks(now: number): number | undefined {
    const { start, isForEnd } = this.#options;
    const { step, firstPause } = firstPollLimits;
    const previous = this.#previous;
    const isFirst = previous === start;
    const pause = isFirst ? firstPause : Math.max(step, (previous - start) / 2);
    if (!isForEnd || pause >= pollLimits.tick) return undefined;
    return Math.max(tickAfterRead(previous, now, step), Math.floor((previous + pause) / step) * step);
  }

  #nextSlow(now: number): number {
    const next = Math.floor(Math.max(now, this.#previous) / pollLimits.tick) + 1;
    const ticksUntilOwn = (this.#ownTick - (next % TICKS_PER_SECOND) + TICKS_PER_SECOND) % TICKS_PER_SECOND;
    return (next + ticksUntilOwn) * pollLimits.tick;
  }
}

/**
 * Returns the first tick after a read. A slow read indicates many calls, so the pause after it is `pollLimits.perRead`
 * times its duration, but the next read begins at most a second after the slow read began, or at the next tick if the slow read took longer.
 * @param began scheduled time of the read, or start of the call; the time between it and the read counts as slow too
 * @param tick milliseconds between two ticks
 */
function tickAfterRead(began: number, now: number, tick: number = pollLimits.tick): number {
  const next = Math.floor(Math.max(now, began) / tick) + 1;
  const afterPause = Math.min(now + pollLimits.perRead * (now - began), began + SECOND);
  return Math.max(next, Math.ceil(afterPause / tick)) * tick;
}

/** Returns a number below `TICKS_PER_SECOND` that depends only on the id of the job. */
function tickOf({ id }: JobKey): number {
  let hash = 0;
  for (const character of id) hash = (hash * 31 + character.charCodeAt(0)) % 1_000_003;
  return hash % TICKS_PER_SECOND;
}
