/**
 * Replaces a worker whose server is dead: its handler takes each job and fails at once, so it empties the queue faster
 * than all healthy workers. Wrong inputs may look the same, so at most one worker of an endpoint is replaced in
 * `QUICK_FAILURES.every`; the others keep running. Errors with a status below 500 do not count, nor do jobs of a worker
 * that takes no more.
 */
import type { Clock } from '../../core/clock.ts';
import { readError } from '../../core/openai/error-text.ts';
import { isSame, type WorkerMarks } from '../../core/workers/lease.ts';
import { AGENT_FAILING, QUICK_FAILURES } from '../../core/workers/protocol.ts';
import type { AgentLog } from './ports.ts';
import type { Retirement } from './retirement.ts';

/** How a job ended. */
export interface Ended {
  readonly id: string;
  /** Its error, if it has FAILED. */
  readonly error: string | undefined;
  /** Milliseconds since its start. */
  readonly ran: number;
}

export interface QuickFailures {
  /** Counts a job that has ended; retires the worker if too many have failed. Logs its own failures. */
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

/** Whether the error means that the worker has failed: a server that refuses an input is alive. */
const isFailure = (error: string | undefined): boolean => error !== undefined && readError(error).status >= 500;

export function createQuickFailures(host: QuickFailuresHost): QuickFailures {
  const { endpoint, worker, clock, marks, log, retirement } = host;
  const { most, within, every } = QUICK_FAILURES;
  const why = `${most} jobs in a row failed within ${within} ms of their start, so this worker is replaced.`;
  /** Ids of the jobs that have failed since one last succeeded or ran longer. */
  const row = new Set<string>();
  /** No worker of the endpoint is replaced before this time, in milliseconds since the epoch. */
  let pausedUntil = 0;

  async function isMine(): Promise<boolean> {
    const now = clock.now();
    const own = { worker, until: now + every };
    const held = await marks.hold(endpoint, own, now);
    pausedUntil = held.until;
    return isSame(held, own);
  }

  return {
    async count({ id, error: failure, ran }) {
      if (!isFailure(failure) || ran >= within) return row.clear();
      if (row.size < most) row.add(id);
      if (row.size < most || clock.now() < pausedUntil) return;
      try {
        if (await isMine()) retirement.begin({ why, exitCode: AGENT_FAILING });
        else log.info('Jobs fail at once, and a worker was replaced for that already.', { until: pausedUntil });
      } catch (error) {
        log.error('It is not known whether a worker was replaced for failures already.', { error });
      }
    },
  };
}
