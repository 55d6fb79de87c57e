/**
 * Watches a job for one waiting call. `PollSchedule` determines when the call reads its job, and `SharedReads` reads it
 * together with the jobs of other calls. A read can fail, because a batch has jobs of many endpoints, and one throttled
 * partition fails it. The watch then reads again, and fails when no read has succeeded for `pollLimits.failAfter`, or when
 * the last read fails. The last read takes place shortly before the end of the call, so that a job that has ended by then
 * is not missed.
 */
import { type FindPorts, find } from '../jobs/find.ts';
import type { Job, JobKey } from '../jobs/job.ts';
import { pollLimits } from '../limits.ts';
import { PollSchedule } from './poll-schedule.ts';
import { sharedReadsOf } from './shared-reads.ts';

export interface Watch {
  /** Returns whether the call must end, because its time is over or the client has disconnected. */
  isTimeUp(): boolean;
  /**
   * Waits for the next read of the job. After the last read, waits for the end of the call, unless the job has ended, so
   * that `isTimeUp` is true then.
   * @throws as `find`
   */
  next(): Promise<Job>;
  /**
   * Waits for the next tick without reading the job.
   * @param took duration of the caller's read of other data, such as chunks, in milliseconds; a longer read causes a
   * longer pause
   */
  tick(took: number): Promise<void>;
  /** Makes the call read at each tick again for `pollLimits.fastFor`, because the job is likely to change soon. */
  pollFaster(): void;
}

export interface WatchOptions {
  /** Aborted when the client closes its connection. The watch then ends with its next read. */
  readonly gone?: AbortSignal | undefined;
  /** Whether the call only waits for the end of the job, so that its first reads are closer together. */
  readonly isForEnd?: boolean;
}

export const hasEnded = (job: Job): boolean => 'finishedAt' in job;

/**
 * Begins to watch a job.
 * @param wait milliseconds until the end of the call
 */
export function watch(
  ports: FindPorts,
  key: JobKey,
  wait: number,
  { gone, isForEnd = false }: WatchOptions = {},
): Watch {
  const { clock } = ports;
  const reads = sharedReadsOf(ports);
  const start = clock.now();
  const end = start + wait;
  const reserveBetweenTicks = (time: number) => reads.reserveBetweenTicks(time);
  const schedule = new PollSchedule(key, { start, end, isForEnd, reserveBetweenTicks });
  const pauseUntil = (time: number) => clock.pause(Math.max(0, time - clock.now()));
  let lastSuccess = start;

  return {
    isTimeUp: () => gone?.aborted === true || clock.now() >= end,

    async next() {
      for (;;) {
        const time = schedule.next(clock.now());
        const isLast = time === schedule.lastTick;
        const result = await reads.at(time, key);
        if ('job' in result) {
          lastSuccess = clock.now();
          if (isLast && !hasEnded(result.job)) await pauseUntil(end);
          return result.job;
        }
        if (isLast || gone?.aborted) return readLastTime(isLast);
        if (clock.now() - lastSuccess >= pollLimits.failAfter) throw result.failure;
      }
    },

    async tick(took) {
      await pauseUntil(Math.min(schedule.afterOwnRead(clock.now(), took), end));
    },

    pollFaster() {
      schedule.pollFaster(clock.now());
    },
  };

  /**
   * Reads the job without a batch, so that other endpoints cannot fail the read: no other attempt follows, because the
   * time is over or the client has disconnected.
   */
  async function readLastTime(isLast: boolean): Promise<Job> {
    const { job } = await find(ports, key);
    if (isLast && !hasEnded(job)) await pauseUntil(end);
    return job;
  }
}
