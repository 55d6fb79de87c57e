/**
 * The agent's side of a job: it finds work for the user's container, holds the jobs under the worker's lease while they
 * run, and records how they end. The user's container reaches it over `gateway.ts`.
 */

import type { Clock } from '../../core/clock.ts';
import type { Endpoints } from '../../core/endpoints/store.ts';
import type { Chunks } from '../../core/jobs/chunk-store.ts';
import { finish, type Report } from '../../core/jobs/finish.ts';
import { metricsOf } from '../../core/jobs/metrics.ts';
import { progress } from '../../core/jobs/progress.ts';
import type { JobQueues, ReceivedMessage } from '../../core/jobs/queues.ts';
import type { Jobs, Objects, Payloads, Secrets } from '../../core/jobs/store.ts';
import { LEASE, MOST_AT_ONCE, SECOND, STOP_GRACE } from '../../core/limits.ts';
import type { Workers } from '../../core/workers/lease.ts';
import type { WorkerMarks } from '../../core/workers/mark.ts';
import { SELF } from '../../core/workers/protocol.ts';
import { sleep } from '../sleep.ts';
import { createHeartbeat } from './heartbeat.ts';
import { createHeldJobs } from './held-jobs.ts';
import { createIdleTracker } from './idle-tracker.ts';
import { createLiveMessages } from './live-messages.ts';
import { admit } from './low-priority.ts';
import { createMessageSource } from './message-source.ts';
import type { Protection } from './protection.ts';
import { createProtectionGap } from './protection-gap.ts';
import { createQuickFailures } from './quick-failures.ts';
import { createRetirement, type Retirement } from './retirement.ts';
import { watchRevision } from './revision-watcher.ts';
import { createRoom } from './room.ts';
import { createStops } from './stops.ts';
import { createTakePermit } from './take-permit.ts';
import { createTaking, type Offer } from './taking.ts';

/** One long poll of SQS, its longest. */
const RECEIVE_WAIT = 20 * SECOND;
/** After ECS refused to protect the worker. */
const PAUSE = 5 * SECOND;
/** What a container that asks for several jobs gets besides the first is what is there within this time. */
const BATCH_WINDOW = 20;
/** For a container to let go of its jobs when the agent ends: the handler has its grace, and may have to be killed. */
const LET_GO = 2 * STOP_GRACE;

export interface AgentConfig {
  readonly endpoint: string;
  /** Unique among all workers there ever were: writes are fenced by it. */
  readonly worker: string;
  readonly normalQueueUrls: readonly string[];
  readonly lowQueueUrls: readonly string[];
  /** Number of the revision that the task runs; absent where there is none. */
  readonly revision?: number | undefined;
  /** Milliseconds without a job after which the worker is no longer protected. */
  readonly idleTimeout: number;
  /** Most jobs that the user's container may have at once; without it, the container decides. */
  readonly concurrency?: number | undefined;
  /** Whether the user's container is an HTTP server: its health says whether it is to be replaced. */
  readonly isServer?: boolean;
}

/** Where a line is about a job, its field `jobId` says so: readers of the job's log find it by that. */
export interface AgentLog {
  info(message: string, fields: Record<string, unknown>): void;
  error(message: string, fields: Record<string, unknown>): void;
}

/** What the agent needs of its process. */
export interface AgentHost {
  readonly log: AgentLog;
  readonly protection: Protection;
  /** Waits so many milliseconds; returns early once `signal` aborts. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export interface Agent extends Pick<Retirement, 'retired' | 'stuck'> {
  /** Renews the lease, which names the held jobs. Called every `BEAT`. */
  beat(): Promise<void>;
  /** Looks whether the held jobs are still this worker's, and whether it is still protected. Called every `WATCH`. */
  watch(): Promise<void>;
  /**
   * The next job, or nothing once `signal` aborts or the agent drains.
   * @param taker who in the user's container gets it
   */
  next(signal: AbortSignal, taker?: string): Promise<Offer | undefined>;
  /** The next jobs, up to `most`, as soon as there is one. */
  nextBatch(most: number, signal: AbortSignal, taker?: string): Promise<readonly Offer[]>;
  /** Ids of jobs that the user's container shall stop; none once `signal` aborts. */
  stops(signal: AbortSignal): Promise<readonly string[]>;
  /** The user's container has let go of the jobs that it was told twice to stop. */
  haveStopped(): Promise<void>;
  /** Takes a chunk of what the job streams, to store it; of one that this worker does not hold, nothing. */
  chunk(id: string, output: string, metrics: string | undefined): Promise<void>;
  /** Shows readers how far a job is; of one that this worker does not hold, nothing. */
  progress(id: string, output: string): Promise<void>;
  /** Records the end of a job; of one that this worker does not hold, nothing. */
  report(id: string, report: Report): Promise<void>;
  /** Whether it has nothing to do, and is not about to end. */
  isFree(): boolean;
  /** Puts a job back that the user's container never got. */
  giveBack(id: string): Promise<void>;
  /** Puts back all jobs that the taker holds, who says that it has none. */
  giveBackAll(taker?: string): Promise<void>;
  /** Takes no more jobs. */
  readonly retire: Retirement['begin'];
  /** Takes no more jobs, waits up to `grace` ms for held ones to end, stops and gives back the rest, and leaves. */
  drain(grace: number): Promise<void>;
}

export type AgentPorts = {
  readonly chunks: Chunks;
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly jobQueues: JobQueues;
  readonly jobs: Jobs;
  readonly objects: Objects;
  readonly payloads: Payloads;
  readonly replacementMarks: WorkerMarks;
  readonly secrets: Secrets;
  readonly workers: Workers;
};

export function createAgent(
  given: AgentPorts,
  { endpoint, worker, revision, normalQueueUrls, lowQueueUrls, idleTimeout, ...config }: AgentConfig,
  { log, protection, pause = sleep }: AgentHost,
): Agent {
  const { ports, isStale } = watchRevision(given, revision);
  const { clock } = ports;
  const stops = createStops(clock);
  const held = createHeldJobs(ports, stops, log, () => {
    idleTracker.jobEnded();
    room.freed();
  });
  const idleTracker = createIdleTracker(clock, idleTimeout, () => held.size);
  const taking = createTaking(ports, worker, held, log, () => draining);
  const { concurrency: most = MOST_AT_ONCE, isServer = false } = config;
  const room = createRoom({ held, log, most, isSet: isServer || config.concurrency !== undefined });
  const retirement = createRetirement({
    clock,
    log,
    held,
    stops,
    idleTracker,
    onBegin() {
      stopTaking();
      // The scaler asks for another worker sooner.
      beat().catch((error: unknown) => log.error('The lease could not be renewed.', { error }));
    },
  });
  const failures = createQuickFailures({ endpoint, worker, clock, log, marks: given.replacementMarks, retirement });
  const protectionGap = createProtectionGap({ clock, log, idleTracker, protection, isStale, pause });
  let draining = false;

  /** Shows a message to other workers at once. If that fails it shows by itself, when its time is over. */
  const showAgain = (message: ReceivedMessage) =>
    ports.jobQueues
      .hide(message, 0)
      .catch((error: unknown) => log.error('A message could not be given back.', { error }));

  const liveMessages = createLiveMessages(ports, showAgain);
  const source = createMessageSource([...normalQueueUrls, ...lowQueueUrls], {
    async receive(queueUrl, signal) {
      const message = await liveMessages.receive(queueUrl, RECEIVE_WAIT, LEASE, signal);
      return message && lowQueueUrls.includes(queueUrl) ? admit(ports, message, pause, signal) : message;
    },
    giveBack: showAgain,
    onError: (error) => log.error('A queue could not be read; trying again.', { error }),
  });

  const { beat, ready, leave } = createHeartbeat({
    ports,
    endpoint,
    worker,
    revision,
    held,
    state: () => ({
      idleSince: idleTracker.idleSince(),
      unprotected: permit.state(),
      asks: room.asks(),
      retiring: retirement.isRetiring() || undefined,
    }),
  });

  const permit = createTakePermit({ ports, endpoint, revision, log, protection, isBusy: idleTracker.isBusy, beat });

  async function offerOf(message: ReceivedMessage, taker: string): Promise<Offer | 'none' | 'unprotected'> {
    const wasIdle = idleTracker.isIdleForLong();
    idleTracker.startTaking();
    try {
      // The lease must not call a worker idle that is protected again, but the job need not wait for it.
      if (wasIdle) beat().catch((error: unknown) => log.error('The lease could not be renewed.', { error }));
      if (!(await permit.ask(message.job))) {
        await showAgain(message);
        return 'unprotected';
      }
      idleTracker.touch();
      return await taking.follow(message, taker);
    } catch (error) {
      log.error('A job could not be taken; its message will come again.', { error, jobId: message.job });
      return 'none';
    } finally {
      idleTracker.stopTaking();
    }
  }

  async function find(signal: AbortSignal, taker: string): Promise<Offer | undefined> {
    while (await room.enter(signal)) {
      const offer = await look(signal, taker).finally(room.leave);
      if (offer !== 'none' && offer !== 'unprotected') return offer;
      if (offer === 'unprotected') await pause(PAUSE, signal);
    }
    return undefined;
  }

  /** @returns the job of the next message, if it can be taken; undefined if there is no message */
  async function look(signal: AbortSignal, taker: string): Promise<Offer | 'none' | 'unprotected' | undefined> {
    await protectionGap(signal);
    await ready();
    const message = await source.next(signal);
    return message && offerOf(message, taker);
  }

  function stopTaking(): void {
    draining = true;
    source.stop();
  }

  return {
    beat,
    giveBack: held.giveBack,
    giveBackAll: held.giveBackAll,
    stops: (signal) => stops.next(signal),
    haveStopped: async () => void (await Promise.all(stops.toldTwice().map(held.giveBack))),
    stuck: retirement.stuck,
    retire: retirement.begin,
    retired: retirement.retired,
    isFree: () => !draining && !idleTracker.isBusy(),

    async watch() {
      stops.remind();
      retirement.look();
      await Promise.all([held.look(), permit.keep(!idleTracker.isIdleForLong())]);
    },

    // A caller that does not wait only says that it has no job.
    next: (signal, taker = SELF) =>
      signal.aborted ? Promise.resolve(undefined) : room.asked(taker, 1, () => find(signal, taker)),

    async nextBatch(jobs, signal, taker = SELF) {
      if (signal.aborted) return [];
      const window = new AbortController();
      const until = AbortSignal.any([signal, window.signal]);
      const take = async () => {
        const offer = await find(until, taker);
        setTimeout(() => window.abort(), BATCH_WINDOW);
        return offer;
      };
      // A take that fails must neither keep a job that another one has taken, nor end the wait of the others.
      const takes = () => Promise.allSettled(Array.from({ length: Math.min(jobs, most) }, take));
      const results = await room.asked(taker, jobs, takes);
      const offers = results.flatMap((result) => (result.status === 'fulfilled' ? (result.value ?? []) : []));
      const failure = results.find((result) => result.status === 'rejected');
      if (failure && offers.length === 0) throw failure.reason;
      return offers;
    },

    async chunk(id, output, metrics) {
      const found = held.find(id);
      if (!found) return log.info('A chunk of a job that is not held here was dropped.', { jobId: id });
      const { text, ...lost } = metricsOf(metrics, { running: held.own().length });
      await found.stream.append({ output, metrics: text });
      if (Object.keys(lost.dropped).length > 0) log.info('Metrics of a chunk were dropped.', { jobId: id, ...lost });
    },

    async progress(id, output) {
      const found = held.find(id);
      if (!found || !(await progress(ports, found.job, output)))
        log.info('Progress of a job that is not held here was dropped.', { jobId: id });
    },

    async report(id, report) {
      const reportedAt = clock.now();
      const ended = await held.end(id, async (found) => {
        const chunks = await found.stream.count();
        const counts = await finish(ports, found.job, { ...report, chunks });
        await found.dropMessage();
        const ran = reportedAt - found.job.startedAt;
        if (counts && !isServer && !draining) await failures.note({ id, error: report.error, ran });
        return counts ? 'Job ended.' : 'A report came too late and was dropped.';
      });
      if (!ended) log.info('A report for a job that is not held here was dropped.', { jobId: id });
    },

    async drain(grace) {
      stopTaking();
      await idleTracker.whenIdle(grace);
      // A container that is still there must not go on with what another worker starts as soon as it is given back.
      const own = held.own();
      if (own.length > 0 && stops.isHeard()) {
        for (const { job } of own) stops.add(job.id);
        await idleTracker.whenIdle(LET_GO);
      }
      await held.giveBackAll();
      await leave();
    },
  };
}
