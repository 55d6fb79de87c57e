/** Retires a worker: it takes no more jobs, finishes its jobs, and then its task stops and ECS starts another. */
import type { Clock } from '../../core/clock.ts';
import { REPORT_GRACE, STOP_LIMIT } from '../../core/limits.ts';
import type { HeldJobs } from './held-jobs.ts';
import type { IdleTracker } from './idle-tracker.ts';
import type { AgentLog } from './ports.ts';
import type { Stops } from './stops.ts';

/** Why a worker takes no more jobs. */
export interface RetirementRequest {
  /**
   * A sentence for the log.
   * @default - the user's container asks to be replaced
   */
  readonly reason?: string;
  /**
   * Exit code of the agent after the last job has ended.
   * @default 0
   */
  readonly exitCode?: number;
  /** Whether ECS stops the task and has already started another, so the scaler need not ask for one. */
  readonly isReplaced?: boolean;
}

export interface Retirement {
  begin(request?: RetirementRequest): void;
  /** Whether the worker takes no more jobs, and ECS starts another only after this worker has stopped. */
  isRetiring(): boolean;
  /** Resolves with the agent's exit code when the worker has retired and the last of its jobs has ended. */
  readonly retired: Promise<number>;
  /**
   * Resolves with the jobs that the container does not stop, once it has no other jobs. The task must then stop.
   */
  readonly stuck: Promise<readonly string[]>;
  /**
   * Retires the worker if its container still runs a job `STOP_LIMIT` ms after it was asked to stop the job. Called
   * every `WATCH`.
   */
  check(): void;
}

export interface RetirementHost {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: AgentLog;
  readonly held: Pick<HeldJobs, 'own' | 'size'>;
  readonly stops: Pick<Stops, 'overdue'>;
  readonly idleTracker: Pick<IdleTracker, 'whenIdle'>;
  /** Stops receiving messages, and renews the lease, which shows that the worker retires. */
  onBegin(): void;
}

export function createRetirement({ clock, log, held, stops, idleTracker, onBegin }: RetirementHost): Retirement {
  let retiring = false;
  let begun = false;
  const { promise: retired, resolve: isRetired } = Promise.withResolvers<number>();
  const { promise: stuck, resolve: isStuck } = Promise.withResolvers<readonly string[]>();

  function begin({
    reason = 'The worker asks to be replaced.',
    exitCode = 0,
    isReplaced = false,
  }: RetirementRequest = {}): void {
    log.info(reason, { jobs: held.size });
    // ECS starts only one worker to replace a worker that it stops.
    retiring = !isReplaced && (retiring || !begun);
    begun = true;
    onBegin();
    void idleTracker.whenIdle().then(() => isRetired(exitCode));
  }

  /**
   * Returns whether the worker has a job that is not lost. A job past its deadline counts as lost, in case jobs
   * cannot be read.
   */
  const hasMore = () => held.own().some(({ job }) => clock.now() <= job.executionDeadline + REPORT_GRACE);

  return {
    begin,
    isRetiring: () => retiring,
    retired,
    stuck,

    check() {
      const overdue = stops.overdue();
      if (overdue.length === 0) return;
      const reason = `The container still runs a lost job ${STOP_LIMIT} ms after it was asked to stop, so this worker takes no more jobs.`;
      if (!begun) begin({ reason });
      if (!hasMore()) isStuck(overdue);
    },
  };
}
