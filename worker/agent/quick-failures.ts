/**
 * Replaces a worker whose server is dead. The handler of such a worker fails each job immediately, so the worker
 * empties the queue faster than all healthy workers. Invalid inputs can have the same effect, so at most one worker
 * of an endpoint is replaced in each period of `QUICK_FAILURES.every`. Errors with a status below 500 do not count.
 * Jobs of a worker that no longer takes jobs do not count either.
 */
import type { Clock } from '../../core/clock.ts';
import { readError } from '../../core/openai/error-text.ts';
import { isSame, type WorkerMarks } from '../../core/workers/lease.ts';
import { AGENT_FAILING, QUICK_FAILURES } from '../../core/workers/protocol.ts';
import type { AgentLog } from './ports.ts';
import type { Retirement } from './retirement.ts';

/** The outcome of a job. */
export interface Ended {
  readonly id: string;
  /** The error of the job, if the job is FAILED. */
  readonly error: string | undefined;
  /** Milliseconds since the job's start. */
  readonly ran: number;
}

export interface QuickFailures {
  /** Counts a job that has ended, and retires the worker if too many have failed. Logs its own errors. */
  count(ended: Ended): Promise<void>;
}

export interface QuickFailuresHost {
  readonly endpoint: string;
  readonly worker: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly marks: Pick<WorkerMarks, 'hold'>;
  readonly log: AgentLog;
  readonly retirement: Pick<Retirement, 'begin'>;
}

/** Returns whether the error means that the worker has failed. A server that refuses an input is alive. */
const isFailure = (error: string | undefined): boolean => error !== undefined && readError(error).status >= 500;

export function createQuickFailures(host: QuickFailuresHost): QuickFailures {
  const { endpoint, worker, clock, marks, log, retirement } = host;
  const { max, within, every } = QUICK_FAILURES;
  const reason = `${max} jobs in a row failed within ${within} ms of their start, so this worker is replaced.`;
  /** Ids of the last jobs in a row that failed within `within` ms of their start. */
  const row = new Set<string>();
  /** Time before which no worker of the endpoint is replaced, in milliseconds since the epoch. */
  let pausedUntil = 0;

  async function acquireMark(): Promise<boolean> {
    const now = clock.now();
    const own = { worker, until: now + every };
    const held = await marks.hold(endpoint, own, now);
    pausedUntil = held.until;
    return isSame(held, own);
  }

  return {
    async count({ id, error: failure, ran }) {
      if (!isFailure(failure) || ran >= within) return row.clear();
      if (row.size < max) row.add(id);
      if (row.size < max || clock.now() < pausedUntil) return;
      try {
        if (await acquireMark()) retirement.begin({ reason, exitCode: AGENT_FAILING });
        else log.info('Jobs fail immediately. A worker was already replaced for this reason.', { until: pausedUntil });
      } catch (error) {
        log.error('It is not known whether a worker was already replaced for failures.', { error });
      }
    },
  };
}
