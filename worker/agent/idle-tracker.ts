/** Tracks whether the worker has a job, and since when it has had none. */
import { type Clock, endsWithin } from '../../core/clock.ts';

export interface IdleTracker {
  isBusy(): boolean;
  /** Time at which the worker became idle, in milliseconds since the epoch; undefined while it is busy. */
  idleSince(): number | undefined;
  /** Whether the worker has been idle for the endpoint's idle timeout. */
  isIdleForLong(): boolean;
  /** Marks the worker as busy until `stopTaking` is called, because it may get a job. */
  startTaking(): void;
  stopTaking(): void;
  /** Restarts the idle time. */
  touch(): void;
  /** Restarts the idle time because a job has ended. */
  jobEnded(): void;
  /** Resolves when the worker is idle, or after `limit` milliseconds if one is given. */
  whenIdle(limit?: number): Promise<void>;
}

/**
 * Measures how long the worker has had no job.
 * @param held returns the number of jobs that the worker holds
 * @param idleTimeout milliseconds
 */
export function createIdleTracker(clock: Clock, idleTimeout: number, held: () => number): IdleTracker {
  let taking = 0;
  let idleSince = clock.now();
  const waiters = new Set<() => void>();

  const isBusy = () => held() > 0 || taking > 0;

  function notifyIfIdle(): void {
    if (isBusy()) return;
    for (const resolve of waiters) resolve();
    waiters.clear();
  }

  return {
    isBusy,
    idleSince: () => (isBusy() ? undefined : idleSince),
    isIdleForLong: () => !isBusy() && clock.now() - idleSince >= idleTimeout,

    startTaking() {
      taking += 1;
    },

    stopTaking() {
      taking -= 1;
      notifyIfIdle();
    },

    touch() {
      idleSince = clock.now();
    },

    jobEnded() {
      idleSince = clock.now();
      notifyIfIdle();
    },

    async whenIdle(limit) {
      if (!isBusy()) return;
      const freed = new Promise<void>((resolve) => waiters.add(resolve));
      await (limit === undefined ? freed : endsWithin(limit, freed));
    },
  };
}
