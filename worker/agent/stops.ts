/** Jobs that the user's container still runs and shall stop, because they are no longer this worker's. */
import type { Clock } from '../../core/clock.ts';
import { SECOND, STOP_LIMIT } from '../../core/limits.ts';

/**
 * How long after an answer a container that lives asks again at the latest, in milliseconds: the gateway holds the answer
 * back for up to a second, and the SDK pauses for another one.
 */
const NEXT_CALL = 3 * SECOND;

export interface Stops {
  /** Job ids to stop, as soon as there are any; none once `signal` aborts. Told ids come again at the next reminder. */
  next(signal: AbortSignal): Promise<readonly string[]>;
  /** Those that were told twice. */
  toldTwice(): readonly string[];
  /** Whether a container learns of jobs that are added now: its call is open, or it asks again within `NEXT_CALL`. */
  isHeard(): boolean;
  add(id: string): void;
  /** The container has let go of the job. */
  remove(id: string): void;
  /** Tells again what was told before. */
  remind(): void;
  /** Jobs that the container has not let go of within `STOP_LIMIT`. */
  overdue(): readonly string[];
}

export function createStops(clock: Clock): Stops {
  /** When each was lost, and how often it was told. */
  const jobs = new Map<string, { readonly since: number; told: number }>();
  const waiters = new Set<() => void>();
  /** Whether a poll may be answered, so that a container which polls again at once does not spin. */
  let due = false;
  /** When a call was last answered with jobs, in milliseconds since the epoch. */
  let toldAt = Number.NEGATIVE_INFINITY;

  function announce(): void {
    due = jobs.size > 0;
    if (!due) return;
    for (const wake of waiters) wake();
  }

  return {
    async next(signal) {
      if (!due && !signal.aborted) {
        const { promise: woken, resolve: wake } = Promise.withResolvers<void>();
        waiters.add(wake);
        signal.addEventListener('abort', () => wake(), { once: true });
        await woken;
        waiters.delete(wake);
      }
      if (signal.aborted) return [];
      toldAt = clock.now();
      due = false;
      for (const job of jobs.values()) job.told += 1;
      return [...jobs.keys()];
    },

    toldTwice: () => [...jobs].filter(([, { told }]) => told >= 2).map(([id]) => id),

    isHeard: () => waiters.size > 0 || clock.now() - toldAt < NEXT_CALL,

    add(id) {
      jobs.set(id, { since: clock.now(), told: 0 });
      announce();
    },

    remove: (id) => void jobs.delete(id),

    remind: announce,
    overdue: () => [...jobs].filter(([, { since }]) => clock.now() - since >= STOP_LIMIT).map(([id]) => id),
  };
}
