/** How many jobs the user's container may have at once, and how many it asks for. */
import { MOST_AT_ONCE } from '../../core/limits.ts';
import type { AgentLog } from './agent.ts';
import type { HeldJobs, OwnJob } from './held-jobs.ts';

const EXPLICIT = "The scaler counts on that; `concurrency` in the endpoint's file makes it explicit.";
const BOUND = "That is the `concurrency` of the endpoint's file.";

export interface Room {
  /** Waits until the container may have another job, and reserves its place; false once `signal` aborts. */
  enter(signal: AbortSignal): Promise<boolean>;
  /** Gives the place back: a job that was taken has one of its own. */
  leave(): void;
  /** The container has let go of a job. */
  freed(): void;
  /** Counts what a taker asks for while it waits for `answer`. */
  asked<Answer>(taker: string, jobs: number, answer: () => Promise<Answer>): Promise<Answer>;
  /** Most jobs that the container has asked to have at once; undefined before it has asked. */
  asks(): number | undefined;
}

export interface RoomOptions {
  readonly held: Pick<HeldJobs, 'own' | 'size'>;
  readonly log: AgentLog;
  /** Jobs at once at most. */
  readonly most: number;
  /** Whether the endpoint's file says `most`; else the container decides, and the log says how to change that. */
  readonly isSet: boolean;
}

/** A call for jobs that has no answer yet. */
interface Ask {
  readonly jobs: number;
  /** Ids of jobs that the worker had when the call began. */
  readonly had: ReadonlySet<string>;
}

export function createRoom({ held, log, most, isSet }: RoomOptions): Room {
  let reserved = 0;
  let largest: number | undefined;
  const waiters = new Set<() => void>();
  /** What each taker asks for now. */
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

  /** Whether the taker has the job; one whose input is being loaded is among those that its open call asks for. */
  const isHandedOver = ({ job, taker }: OwnJob): boolean => open.get(taker)?.had.has(job.id) ?? true;

  function note(): void {
    // What it still runs of a lost job is no job to the scaler.
    const has = held.own().filter(isHandedOver).length;
    const jobs = has + [...open.values()].reduce((total, ask) => total + ask.jobs, 0);
    const asks = Math.min(jobs, MOST_AT_ONCE);
    if (asks <= (largest ?? 0)) return;
    largest = asks;
    if (!isSet) log.info(`The container asks for up to ${asks} jobs at once. ${EXPLICIT}`, { asks });
    else if (asks > most)
      log.info(`The container asks for up to ${asks} jobs at once, and gets ${most}. ${BOUND}`, { asks });
  }

  return {
    async enter(signal) {
      while (!signal.aborted) {
        if (held.size + reserved < most) {
          reserved += 1;
          return true;
        }
        await changed(signal);
      }
      return false;
    },

    leave() {
      reserved -= 1;
      wake();
    },

    freed: wake,

    async asked(taker, jobs, answer) {
      open.set(taker, { jobs, had: new Set(held.own().map(({ job }) => job.id)) });
      note();
      try {
        return await answer();
      } finally {
        open.delete(taker);
      }
    },

    asks: () => largest,
  };
}
