/** The jobs that are no longer this worker's, and that the user's container still runs and must stop. */
import type { Clock } from '../../core/clock.ts';
import { SECOND, STOP_LIMIT } from '../../core/limits.ts';

/**
 * The longest time in milliseconds from an answer until a living container calls again. The gateway delays the
 * answer by up to a second, and the SDK pauses for another second.
 */
const NEXT_CALL = 3 * SECOND;

export interface Stops {
  /**
   * Returns the ids of the jobs to stop, as soon as there are any, or none once `signal` aborts. Each reminder
   * sends all ids again.
   */
  next(signal: AbortSignal): Promise<readonly string[]>;
  /** Ids that were sent to the container at least twice. */
  sentTwice(): readonly string[];
  /**
   * Whether a container will receive ids that are added now, because its call is open or it calls again within
   * `NEXT_CALL`.
   */
  isPolled(): boolean;
  add(id: string): void;
  /** Reports that the container has released the job. */
  remove(id: string): void;
  /** Sends all ids again. */
  remind(): void;
  /** Returns the jobs that the container has not released within `STOP_LIMIT`. */
  overdue(): readonly string[];
}

export function createStops(clock: Clock): Stops {
  /** When each job was lost, and how often its id was sent. */
  const jobs = new Map<string, { readonly since: number; sent: number }>();
  const waiters = new Set<() => void>();
  /** Whether a poll may be answered. It prevents a container that polls again immediately from spinning. */
  let due = false;
  /** Time of the last answer with jobs, in milliseconds since the epoch. */
  let sentAt = Number.NEGATIVE_INFINITY;

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
      sentAt = clock.now();
      due = false;
      for (const job of jobs.values()) job.sent += 1;
      return [...jobs.keys()];
    },

    sentTwice: () => [...jobs].filter(([, { sent }]) => sent >= 2).map(([id]) => id),

    isPolled: () => waiters.size > 0 || clock.now() - sentAt < NEXT_CALL,

    add(id) {
      jobs.set(id, { since: clock.now(), sent: 0 });
      announce();
    },

    remove: (id) => void jobs.delete(id),

    remind: announce,
    overdue: () => [...jobs].filter(([, { since }]) => clock.now() - since >= STOP_LIMIT).map(([id]) => id),
  };
}
