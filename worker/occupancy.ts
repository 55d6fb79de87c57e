/** Whether the worker has anything to do, and since when not. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../core/clock.ts';

export interface Occupancy {
  isBusy(): boolean;
  /** Since when it has nothing to do, in milliseconds; nothing while it has. */
  idleSince(): number | undefined;
  /** Whether that is as long as a worker without a job is kept. */
  isIdleForLong(): boolean;
  /** It is about to take a job. */
  startTaking(): void;
  stopTaking(): void;
  /** From now on its idle time counts anew. */
  touch(): void;
  /** It holds one job less. */
  letGo(): void;
  /** Waits until it has nothing to do, up to `limit` ms if one is given. */
  free(limit?: number): Promise<void>;
}

/**
 * @param held how many jobs it holds
 * @param idleTimeout milliseconds
 */
export function createOccupancy(clock: Clock, idleTimeout: number, held: () => number): Occupancy {
  let taking = 0;
  let idleSince = clock.now();
  const waiters = new Set<() => void>();

  const isBusy = () => held() > 0 || taking > 0;

  function look(): void {
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
      look();
    },

    touch() {
      idleSince = clock.now();
    },

    letGo() {
      idleSince = clock.now();
      look();
    },

    async free(limit) {
      if (!isBusy()) return;
      const freed = new Promise<void>((resolve) => waiters.add(resolve));
      // Unreferenced, because the process must not wait for the timer once all jobs have ended.
      await (limit === undefined ? freed : Promise.race([freed, delay(limit, undefined, { ref: false })]));
    },
  };
}
