/**
 * Finds the jobs that a live container has dropped: their handlers have returned, and no result was reported. RunPod's
 * SDK does this with an output that is not JSON. Without proof a job counts as lost and runs again, because the process
 * of its handler may have died and another may have started in the container.
 *
 * The proof is one of these:
 *  - The container asks for a job and reports that it has none. Since SDK 1.7 the call contains the id of the last job
 *    whose result the calling process began to report. Before 1.7, a process has begun each job that it received over
 *    the connection of the call.
 *  - A ping does not list a job that an earlier ping of the same process listed. The SDK lists a job until its report
 *    has been answered.
 */
import type { Clock } from '../../core/clock.ts';
import { SILENT_AFTER } from '../../core/workers/protocol.ts';
import type { HeldJob, HeldJobs } from './held-jobs.ts';
import type { AgentLog } from './ports.ts';

/** A connection of the user's container, which ends with the process that opened it. */
export interface Connection {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/** The parts of a call for jobs that show which process calls. */
export interface Caller {
  readonly connection: Connection;
  /** Id of the job whose result the process last began to report, if the call contains it. */
  readonly lastJob?: string | undefined;
  /** Whether the process counts each job as begun before it asks again. */
  readonly countsOnArrival: boolean;
}

export interface Unreported {
  /** Records that the jobs were sent over the connection. */
  sent(ids: readonly string[], connection: Connection): void;
  /** Records that the container has reported the end of the job, whether or not it could be stored. */
  reported(id: string): void;
  /**
   * Ends the jobs that a process no longer lists.
   * @param listed ids of all jobs of the process
   */
  pinged(listed: readonly string[], connection: Connection): Promise<void>;
  /**
   * Returns whether the pings have shown for `SILENT_AFTER` that the container runs none of its jobs: it has not begun
   * them, or has ended them.
   */
  runsNone(): boolean;
  /**
   * Handles the report of a taker that it has no job: ends its dropped jobs and requeues its lost jobs. If a ping has
   * listed a job, waits for the next ping to decide, or until `signal` aborts.
   */
  hasNone(taker: string, caller: Caller, signal: AbortSignal): Promise<void>;
}

/** What is known about a held job. */
interface Evidence {
  sentOver?: Connection;
  listedOver?: Connection;
  isReported?: boolean;
  /** Times of the first and the last of consecutive pings that did not list the job, in milliseconds. */
  unlisted?: { readonly from: number; readonly to: number } | undefined;
  /** Present if the next ping decides whether the job was dropped. */
  doubt?: PromiseWithResolvers<void>;
}

export interface UnreportedHost {
  readonly clock: Pick<Clock, 'now'>;
  readonly held: Pick<HeldJobs, 'find' | 'own' | 'requeue' | 'requeueAll'>;
  readonly log: AgentLog;
  /** Ends a dropped job FAILED. */
  fail(id: string): Promise<void>;
}

export function createUnreported({ clock, held, log, fail }: UnreportedHost): Unreported {
  // Another hold of the same job has other evidence.
  const known = new WeakMap<HeldJob, Evidence>();

  function evidenceOf(job: HeldJob): Evidence {
    const evidence = known.get(job) ?? {};
    known.set(job, evidence);
    return evidence;
  }

  function drop(id: string): Promise<void> {
    log.error('The container has dropped this job: its handler has returned, and no result was reported.', {
      jobId: id,
    });
    return fail(id);
  }

  function isDropped(job: HeldJob, { connection, lastJob, countsOnArrival }: Caller): boolean {
    const { sentOver, isReported } = evidenceOf(job);
    return !isReported && (lastJob === job.job.id || (countsOnArrival && sentOver === connection));
  }

  /** Waits until the next ping over the connection decides. If the connection ends before that, requeues the job. */
  function nextPing(job: HeldJob, connection: Connection): Promise<void> {
    const evidence = evidenceOf(job);
    if (evidence.doubt) return evidence.doubt.promise;
    const doubt = Promise.withResolvers<void>();
    evidence.doubt = doubt;
    const { id } = job.job;
    connection.once('close', () => {
      if (held.find(id) !== job) return;
      const failed = (error: unknown) => log.error('A lost job could not be requeued.', { error, jobId: id });
      void held.requeue(id).catch(failed).finally(doubt.resolve);
    });
    return doubt.promise;
  }

  return {
    sent(ids, connection) {
      for (const id of ids) {
        const job = held.find(id);
        if (job) evidenceOf(job).sentOver = connection;
      }
    },

    reported(id) {
      const job = held.find(id);
      if (job) evidenceOf(job).isReported = true;
    },

    async pinged(listed, connection) {
      const decisions = held.own().map(async (job) => {
        const { id } = job.job;
        const evidence = evidenceOf(job);
        const to = clock.now();
        evidence.unlisted = listed.includes(id) ? undefined : { from: evidence.unlisted?.from ?? to, to };
        if (!listed.includes(id)) {
          if (evidence.listedOver !== connection || evidence.isReported) return;
          await drop(id);
        } else if (evidence.doubt) {
          // The process that asks for jobs is not the one that lists them.
          await held.requeue(id);
        } else {
          evidence.listedOver = connection;
        }
        evidence.doubt?.resolve();
      });
      await Promise.all(decisions);
    },

    runsNone: () =>
      held.own().every((job) => {
        const { unlisted } = evidenceOf(job);
        return unlisted !== undefined && unlisted.to - unlisted.from >= SILENT_AFTER;
      }),

    async hasNone(taker, caller, signal) {
      const own = held.own().filter((job) => job.taker === taker);
      const dropped = own.filter((job) => isDropped(job, caller));
      await Promise.all(dropped.map(({ job }) => drop(job.id)));
      const inDoubt = own.flatMap((job) => {
        const { listedOver, isReported } = evidenceOf(job);
        const isDecided = isReported || !listedOver || listedOver.destroyed || dropped.includes(job);
        return isDecided ? [] : [{ id: job.job.id, decision: nextPing(job, listedOver) }];
      });
      await held.requeueAll({ taker, except: new Set(inDoubt.map(({ id }) => id)) });
      if (inDoubt.length === 0) return;
      const over = signal.aborted
        ? Promise.resolve()
        : new Promise((end) => signal.addEventListener('abort', end, { once: true }));
      await Promise.race([over, Promise.all(inDoubt.map(({ decision }) => decision))]);
    },
  };
}
