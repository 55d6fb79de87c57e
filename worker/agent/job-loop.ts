/**
 * The steps of one job in the agent, from the message to the result:
 *  1. `next`: the user's container asks for a job. Wait for a free slot, a lease and a message, then for the permit.
 *  2. Take the job of the message, hold it, and return its input.
 *  3. `chunk`, `progress`: store the chunks and the progress of the job.
 *  4. `report`: store how the job ended, and stop holding it.
 */

import type { Pause } from '../../core/clock.ts';
import type { RunningJob } from '../../core/jobs/job.ts';
import { load, loadS3Config } from '../../core/jobs/payload.ts';
import type { ReceivedMessage } from '../../core/jobs/queues.ts';
import { traceIdOf, traceparentOf } from '../../core/jobs/trace.ts';
import { LEASE, MAX_CONCURRENCY, payloadLimits, SECOND } from '../../core/limits.ts';
import type { HoldFields } from '../../core/logs/lines.ts';
import { type DroppedMetrics, metricsOf } from '../../core/streams/metrics.ts';
import { isOverTime } from '../../core/workers/hold.ts';
import { SELF } from '../../core/workers/protocol.ts';
import { finish, type Progress, progress, type Report } from '../../core/workers/report.ts';
import { take } from '../../core/workers/take.ts';
import { createAggregation } from './aggregation.ts';
import type { Concurrency } from './concurrency.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { HeldJob, HeldJobs } from './held-jobs.ts';
import type { IdleTracker } from './idle-tracker.ts';
import type { MessageSource } from './messages.ts';
import type { AgentConfig, AgentLog, AgentPorts } from './ports.ts';
import type { ProtectionGap } from './protection-gap.ts';
import type { QuickFailures } from './quick-failures.ts';
import type { TakePermit } from './take-permit.ts';

/** Pause before the next message after ECS has refused to protect the worker. */
const PAUSE = 5 * SECOND;
/** Time after the first job of a batch within which arriving jobs join the batch, in milliseconds. */
const BATCH_WINDOW = 20;

const NOT_HELD = 'this worker does not hold the job';

/** A job for the user's container, with its input and, if the job has one, its `s3Config`, as JSON strings. */
export interface Offer {
  readonly id: string;
  readonly attempt: number;
  readonly input: string;
  readonly s3Config?: string | undefined;
  /** The trace of the client's request, if it had one, as the header `traceparent`. */
  readonly traceparent?: string | undefined;
}

/** A chunk that is not in the stream of its job. */
export interface DroppedChunk {
  /** The reason, in a sentence. */
  readonly dropped: string;
}

export interface JobLoop {
  /**
   * Returns the next job, or undefined once `signal` aborts or the agent drains.
   * @param taker name of the caller in the user's container that gets the job
   */
  next(signal: AbortSignal, taker?: string): Promise<Offer | undefined>;
  /**
   * Returns up to `max` jobs: the next job, and jobs that arrive within `BATCH_WINDOW` after it. Returns none once
   * `signal` aborts or the agent drains.
   */
  nextBatch(max: number, signal: AbortSignal, taker?: string): Promise<readonly Offer[]>;
  /**
   * Adds a chunk to the stream of a job. Drops the chunk if this worker does not hold the job, or if the job has run
   * for longer than its time-out.
   * @returns what was dropped and why, or undefined if nothing was
   */
  chunk(id: string, output: string, metrics: string | undefined): Promise<DroppedChunk | DroppedMetrics | undefined>;
  /**
   * Stores the progress of a job, for its readers. Drops the progress in the same cases as a chunk, and if it is larger
   * than an output may be.
   */
  progress(id: string, progress: Progress): Promise<void>;
  /**
   * Stores the end of a job, or that it is TIMED_OUT if it has run for longer than its time-out. Does nothing if this
   * worker does not hold the job.
   */
  report(id: string, report: Report): Promise<void>;
}

export interface JobLoopOptions {
  readonly ports: AgentPorts;
  readonly config: Pick<AgentConfig, 'concurrency' | 'isServer' | 'revision' | 'worker'>;
  readonly log: AgentLog;
  readonly pause: Pause;
  readonly held: HeldJobs;
  readonly concurrency: Concurrency;
  readonly idleTracker: IdleTracker;
  readonly messages: MessageSource;
  readonly heartbeat: Pick<Heartbeat, 'ready' | 'refresh'>;
  readonly permit: Pick<TakePermit, 'ask'>;
  readonly protectionGap: ProtectionGap;
  readonly failures: QuickFailures;
}

export function createJobLoop(options: JobLoopOptions): JobLoop {
  const { ports, config, log, pause, held, concurrency, idleTracker, messages, heartbeat } = options;
  const { permit, protectionGap, failures } = options;
  const { concurrency: max = MAX_CONCURRENCY, isServer = false, revision, worker } = config;
  /** Ids of jobs that are being taken. */
  const taking = new Set<string>();
  const aggregation = createAggregation();

  async function nextJob(signal: AbortSignal, taker: string): Promise<Offer | undefined> {
    while (await concurrency.acquire(signal)) {
      const offer = await receiveJob(signal, taker).finally(concurrency.release);
      if (offer === 'unprotected') await pause(PAUSE, signal);
      else if (offer !== 'none') return offer;
    }
    return undefined;
  }

  /**
   * Waits for the next message, and takes its job.
   * @returns the job of the next message, or why it was not taken; undefined if there is no message
   */
  async function receiveJob(signal: AbortSignal, taker: string): Promise<Offer | 'none' | 'unprotected' | undefined> {
    await protectionGap(signal);
    await heartbeat.ready();
    const message = await messages.next(signal);
    return message && follow(message, taker);
  }

  async function follow(message: ReceivedMessage, taker: string): Promise<Offer | 'none' | 'unprotected'> {
    const wasIdle = idleTracker.isIdleForLong();
    idleTracker.startTaking();
    try {
      // The lease must soon show that the worker is no longer idle, so that the scaler retains the worker. The job
      // need not wait for the renewal of the lease.
      if (wasIdle) heartbeat.refresh();
      if (!(await permit.ask(message.job))) {
        await messages.release(message);
        return 'unprotected';
      }
      if (messages.isStopped()) {
        await messages.release(message);
        return 'none';
      }
      idleTracker.touch();
      return await takeOnce(message, taker);
    } catch (error) {
      log.error('A job could not be taken; its message will be received again.', { error, jobId: message.job });
      return 'none';
    } finally {
      idleTracker.stopTaking();
    }
  }

  async function takeOnce(message: ReceivedMessage, taker: string): Promise<Offer | 'none'> {
    const id = message.job;
    if (held.has(id) || taking.has(id)) {
      // The message arrived twice, or the job is being requeued with this message.
      await ports.jobQueues.hide(message, held.isEnding(id) ? SECOND : LEASE);
      return 'none';
    }
    taking.add(id);
    try {
      return await takeJob(message, taker);
    } finally {
      taking.delete(id);
    }
  }

  async function takeJob(message: ReceivedMessage, taker: string): Promise<Offer | 'none'> {
    const taken = await take(ports, worker, message, { revision, aggregates: aggregation.isKnown() });
    if (taken.outcome === 'stale') await ports.jobQueues.drop(message);
    if (taken.outcome === 'held') await ports.jobQueues.hide(message, taken.hidden);
    if (taken.outcome !== 'taken') return 'none';
    const { job } = taken;
    held.add(job, message, taker);
    const offer = await offerOf(job);
    const hold: HoldFields = { jobId: job.id, holds: true, held: held.size };
    log.info('Job taken.', { ...hold, attempt: job.attempt, traceId: job.trace && traceIdOf(job.trace) });
    if (!messages.isStopped()) return offer;
    await held.requeue(job.id, 'WORKER_STOPPED');
    return 'none';
  }

  /**
   * Loads the job's input. If that fails, requeues the job immediately, because other workers do not take a job of
   * a living worker.
   */
  async function offerOf(job: RunningJob): Promise<Offer> {
    try {
      const [input, s3Config] = await Promise.all([load(ports, job, job.input), loadS3Config(ports, job)]);
      const traceparent = job.trace && traceparentOf(job.trace);
      return { id: job.id, attempt: job.attempt, input, s3Config, traceparent };
    } catch (error) {
      await held.requeue(job.id);
      throw error;
    }
  }

  /**
   * Finds a job that the worker holds and that has time left.
   * @returns the job, or the clause with which its chunks and its progress are dropped
   */
  function runningJob(id: string): HeldJob | string {
    const found = held.find(id);
    if (!found) return NOT_HELD;
    const { executionTimeout } = found.job;
    if (!isOverTime(found.job, found.ran())) return found;
    return `the job has run for longer than its executionTimeout of ${executionTimeout} ms`;
  }

  /**
   * Stores the progress of a job, unless the job no longer accepts progress.
   * @returns the reason why it was dropped, as a clause, or undefined if it is stored
   */
  async function storeProgress(id: string, sent: Progress): Promise<string | undefined> {
    const { output = 'null', size = Buffer.byteLength(output) } = sent;
    if (size > payloadLimits.output) return `it has ${size} bytes; at most ${payloadLimits.output} are allowed`;
    const found = runningJob(id);
    if (typeof found === 'string') return found;
    return (await progress(ports, found.job, output)) ? undefined : NOT_HELD;
  }

  return {
    // A call that does not wait only reports that the caller has no job.
    next: (signal, taker = SELF) =>
      signal.aborted ? Promise.resolve(undefined) : concurrency.whileAsking(taker, 1, () => nextJob(signal, taker)),

    async nextBatch(jobs, signal, taker = SELF) {
      if (signal.aborted) return [];
      const window = new AbortController();
      const until = AbortSignal.any([signal, window.signal]);
      const takeOne = async () => {
        const offer = await nextJob(until, taker);
        void pause(BATCH_WINDOW, until).then(() => window.abort());
        return offer;
      };
      // If one take fails, the jobs of the other takes must still be returned, and the other takes must continue to
      // wait.
      const takeAll = () => Promise.allSettled(Array.from({ length: Math.min(jobs, max) }, takeOne));
      const results = await concurrency.whileAsking(taker, jobs, takeAll);
      const offers = results.flatMap((result) => (result.status === 'fulfilled' ? (result.value ?? []) : []));
      const failure = results.find((result) => result.status === 'rejected');
      if (failure && offers.length === 0) throw failure.reason;
      return offers;
    },

    async chunk(id, output, metrics) {
      const found = runningJob(id);
      if (typeof found === 'string') {
        log.info(`A chunk was dropped, because ${found}.`, { jobId: id });
        return { dropped: `The chunk is not stored, because ${found}.` };
      }
      const { text, dropped } = metricsOf(metrics, { running: held.own().length });
      await found.stream.append({ output, metrics: text });
      if (dropped) log.info('Metrics of a chunk were dropped.', { jobId: id, ...dropped });
      return dropped;
    },

    async progress(id, sent) {
      const refusal = await storeProgress(id, sent);
      if (refusal) log.info(`Progress was dropped, because ${refusal}.`, { jobId: id });
    },

    async report(id, report) {
      const ended = await held.end(id, async (found) => {
        const ran = found.ran();
        if (await found.timeOut()) return 'A report arrived after the time-out of the job and was dropped.';
        const chunks = await found.stream.count();
        const counts = await finish(ports, found.job, { ...report, chunks }, found.workerTime);
        found.dropMessage();
        const { output, size, error } = report;
        // The agent does not have an output that is too large to be read.
        if (counts && error === undefined && size === undefined)
          await aggregation.completed(found.stream.appended(), output);
        const hasOutcome = counts && report.code === undefined;
        if (hasOutcome && !isServer && !messages.isStopped()) await failures.count({ id, error, ran });
        return counts ? 'Job ended.' : 'A report arrived too late and was dropped.';
      });
      if (!ended) log.info('A report was dropped, because this worker does not hold the job.', { jobId: id });
    },
  };
}
