/**
 * The agent of a worker: it runs the job loop for the user's container, renews the worker's lease, and requeues
 * the worker's jobs before it exits. The user's container calls the agent through the gateway.
 */

import { systemClock } from '../../core/clock.ts';
import { MAX_CONCURRENCY, STOP_GRACE } from '../../core/limits.ts';
import { notReported } from '../../core/workers/report.ts';
import { createConcurrency } from './concurrency.ts';
import { createHeartbeat } from './heartbeat.ts';
import { createHeldJobs } from './held-jobs.ts';
import { createIdleTracker } from './idle-tracker.ts';
import { createJobLoop, type JobLoop } from './job-loop.ts';
import { createMessageDrops } from './message-drops.ts';
import { createMessageSource } from './messages.ts';
import type { AgentConfig, AgentHost, AgentPorts } from './ports.ts';
import { createProtectionGap } from './protection-gap.ts';
import { createQuickFailures } from './quick-failures.ts';
import { createRetirement, type Retirement } from './retirement.ts';
import { createRevisionWatcher } from './revision-watcher.ts';
import { createSilence } from './silence.ts';
import { createStops } from './stops.ts';
import { createSuccession } from './succession.ts';
import { createTakePermit } from './take-permit.ts';
import { createUnreported, type Unreported } from './unreported.ts';

/**
 * How long a draining agent waits for the container to release stopped jobs: the grace period of the handler, and
 * the time to kill the handler.
 */
const LET_GO = 2 * STOP_GRACE;

export interface Agent
  extends JobLoop,
    Pick<Retirement, 'retired' | 'stuck'>,
    Pick<Unreported, 'hasNone' | 'pinged' | 'sent'> {
  /** Renews the lease, which contains the ids of the held jobs. Called every `BEAT`. */
  beat(): Promise<void>;
  /**
   * Checks whether the held jobs are still this worker's, and whether the worker is still protected. Called every
   * `WATCH`.
   */
  watch(): Promise<void>;
  /** Resolves with the ids of jobs that the user's container must stop, or with none once `signal` aborts. */
  stops(signal: AbortSignal): Promise<readonly string[]>;
  /** Reports that the user's container has released the jobs whose ids it has received at least twice. */
  confirmStopped(): Promise<void>;
  /** Whether the worker has no job and still takes jobs. */
  isFree(): boolean;
  /** Requeues a job that the user's container never received. */
  requeue(id: string): Promise<void>;
  /** Requeues all jobs of a taker that reports having none. Without a taker, requeues all jobs. */
  requeueAll(taker?: string): Promise<void>;
  /** Begins to retire the worker: it takes no more jobs. */
  readonly retire: Retirement['begin'];
  /**
   * Stops taking jobs, waits up to `grace` ms for held jobs to end, stops and requeues the rest, and deletes the
   * lease.
   */
  drain(grace: number): Promise<void>;
}

export function createAgent(
  ports: AgentPorts,
  config: AgentConfig,
  { log, protection, pause = systemClock.pause, elapsed = () => ports.clock.now() }: AgentHost,
): Agent {
  const { endpoint, worker, revision, idleTimeout, concurrency: max = MAX_CONCURRENCY } = config;
  const { clock } = ports;
  const stops = createStops(clock);
  const drops = createMessageDrops({ jobQueues: ports.jobQueues, log, pause });
  const held = createHeldJobs(ports, drops, stops, { log, elapsed }, () => {
    idleTracker.jobEnded();
    concurrency.jobEnded();
  });
  const idleTracker = createIdleTracker(clock, idleTimeout, () => held.size);
  const isSet = config.isServer === true || config.concurrency !== undefined;
  const concurrency = createConcurrency({ held, log, max, isSet });
  const watcher = createRevisionWatcher(ports.clock, revision);
  const succession = createSuccession({ ports, config, watcher, log });
  const messages = createMessageSource({ ports, config, watcher, succession, log, pause });
  const heartbeat = createHeartbeat({
    ports,
    endpoint,
    worker,
    revision,
    held,
    log,
    state: () => ({
      idleSince: idleTracker.idleSince(),
      unprotected: permit.state(),
      asks: concurrency.maxAsked(),
      retiring: retirement.isRetiring() || undefined,
      silent: silence.isSilent() || undefined,
    }),
  });
  const permit = createTakePermit({
    ports,
    endpoint,
    revision,
    log,
    protection,
    isBusy: idleTracker.isBusy,
    beat: heartbeat.beat,
  });
  const retirement = createRetirement({
    clock,
    log,
    held,
    stops,
    idleTracker,
    onBegin() {
      messages.stop();
      // With the renewed lease, the scaler asks for another worker sooner.
      heartbeat.refresh();
    },
  });
  const failures = createQuickFailures({ endpoint, worker, clock, log, marks: ports.replacementMarks, retirement });
  const protectionGap = createProtectionGap({ clock, log, idleTracker, protection, watcher, pause });
  const loop = createJobLoop({
    ports,
    config,
    log,
    pause,
    held,
    concurrency,
    idleTracker,
    messages,
    heartbeat,
    permit,
    protectionGap,
    failures,
  });

  const unreported = createUnreported({ clock, held, log, fail: (id) => loop.report(id, notReported) });

  const silence = createSilence({
    ports,
    config,
    log,
    held,
    concurrency,
    idleTracker,
    messages,
    retirement,
    unreported,
  });

  /** Keeps the protection of a worker that holds a job, or held one within the idle timeout, unless it is superseded. */
  async function keepProtection(): Promise<void> {
    const mayGo = !idleTracker.isBusy() && protection.since() !== undefined && (await succession.isSuperseded());
    // A job may have been taken while the endpoint was read.
    await permit.keep(!idleTracker.isIdleForLong() && (idleTracker.isBusy() || !mayGo));
  }

  return {
    ...loop,
    hasNone: unreported.hasNone,
    pinged: unreported.pinged,
    sent: unreported.sent,
    report(id, report) {
      unreported.reported(id);
      return loop.report(id, report);
    },
    beat: heartbeat.beat,
    requeue: (id) => held.requeue(id),
    requeueAll: (taker) => held.requeueAll({ taker }),
    stops: (signal) => stops.next(signal),
    confirmStopped: async () => void (await Promise.all(stops.sentTwice().map((id) => held.requeue(id)))),
    stuck: retirement.stuck,
    retire: retirement.begin,
    retired: retirement.retired,
    isFree: () => !messages.isStopped() && !idleTracker.isBusy(),

    async watch() {
      stops.remind();
      retirement.check();
      await Promise.all([held.check(), keepProtection(), silence.check()]);
    },

    async drain(grace) {
      messages.stop();
      await idleTracker.whenIdle(grace);
      // Another worker starts a requeued job immediately, so a container that still runs must stop its job first.
      const own = held.own();
      if (own.length > 0 && stops.isPolled()) {
        for (const { job } of own) stops.add(job.id);
        await idleTracker.whenIdle(LET_GO);
      }
      await held.requeueAll({ reason: 'WORKER_STOPPED' });
      await heartbeat.end();
      await Promise.all([messages.settled(), drops.flush()]);
    },
  };
}
