/** Limits how many jobs the user's container has at the same time, and tracks how many it asks for. */
import { MAX_CONCURRENCY } from '../../core/limits.ts';
import type { HeldJobs, OwnJob } from './held-jobs.ts';
import type { AgentLog } from './ports.ts';

const EXPLICIT = "The scaler uses this number; set `concurrency` in the endpoint's file to make it explicit.";
const BOUND = "This is the `concurrency` in the endpoint's file.";

export interface Concurrency {
  /**
   * Waits until the container may have another job, and reserves a place for it. Resolves with false once `signal`
   * aborts.
   */
  acquire(signal: AbortSignal): Promise<boolean>;
  /** Releases a reserved place. If a job was taken, it counts as held instead. */
  release(): void;
  /** Reports that the container has released a job. */
  jobEnded(): void;
  /** Counts the jobs that a taker asks for, and stops counting them when `answer` resolves or rejects. */
  whileAsking<Answer>(taker: string, jobs: number, answer: () => Promise<Answer>): Promise<Answer>;
  /** Whether a call for jobs is open. */
  isAsking(): boolean;
  /**
   * Largest number of jobs that the container has asked to have at the same time; undefined before its first call.
   */
  maxAsked(): number | undefined;
}

export interface ConcurrencyOptions {
  readonly held: Pick<HeldJobs, 'own' | 'size'>;
  readonly log: AgentLog;
  /** Maximum number of jobs at the same time. */
  readonly max: number;
  /**
   * Whether the endpoint's file sets `max`. If not, the container decides, and a log line explains how to set the
   * number.
   */
  readonly isSet: boolean;
}

/** A call for jobs that has not been answered. */
interface Ask {
  readonly jobs: number;
  /** Ids of the jobs that the worker had when the call began. */
  readonly had: ReadonlySet<string>;
}

export function createConcurrency({ held, log, max, isSet }: ConcurrencyOptions): Concurrency {
  let reserved = 0;
  let largest: number | undefined;
  const waiters = new Set<() => void>();
  /** The open call of each taker. */
  const open = new Map<string, Ask>();

  function wake(): void {
    for (const waiter of waiters) waiter();
    waiters.clear();
  }

  function changed(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiters.add(resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    return promise.finally(() => waiters.delete(resolve));
  }

  /**
   * Returns whether the taker has the job. A job whose input is being loaded counts for the open call of its
   * taker instead.
   */
  const isHandedOver = ({ job, taker }: OwnJob): boolean => open.get(taker)?.had.has(job.id) ?? true;

  function updateLargest(): void {
    // For the scaler, a lost job that the container still runs does not count.
    const has = held.own().filter(isHandedOver).length;
    const jobs = has + [...open.values()].reduce((total, ask) => total + ask.jobs, 0);
    const asks = Math.min(jobs, MAX_CONCURRENCY);
    if (asks <= (largest ?? 0)) return;
    largest = asks;
    if (!isSet) log.info(`The container asks for up to ${asks} jobs at the same time. ${EXPLICIT}`, { asks });
    else if (asks > max)
      log.info(`The container asks for up to ${asks} jobs at the same time, and gets ${max}. ${BOUND}`, { asks });
  }

  return {
    async acquire(signal) {
      while (!signal.aborted) {
        if (held.size + reserved < max) {
          reserved += 1;
          return true;
        }
        await changed(signal);
      }
      return false;
    },

    release() {
      reserved -= 1;
      wake();
    },

    jobEnded: wake,

    async whileAsking(taker, jobs, answer) {
      const ask = { jobs, had: new Set(held.own().map(({ job }) => job.id)) };
      open.set(taker, ask);
      updateLargest();
      try {
        return await answer();
      } finally {
        // The taker can already have another call open, for example after its connection broke.
        if (open.get(taker) === ask) open.delete(taker);
      }
    },

    isAsking: () => open.size > 0,
    maxAsked: () => largest,
  };
}
