/**
 * The jobs that a worker holds. It holds a job from the take until the job's end is stored, the job is requeued, or
 * the container has released a lost job.
 */

import type { RequeueReason, RunningJob } from '../../core/jobs/job.ts';
import { messageOf, queueOf, type ReceivedMessage } from '../../core/jobs/queues.ts';
import type { HoldFields } from '../../core/logs/lines.ts';
import { hold, isOverTime, type Loss, timeOut } from '../../core/workers/hold.ts';
import { rescue } from '../../core/workers/rescue.ts';
import { type ChunkStream, createChunkStream } from './chunk-stream.ts';
import type { MessageDrops } from './message-drops.ts';
import type { AgentLog, AgentPorts } from './ports.ts';
import { createShares, type Shares } from './shares.ts';
import type { Stops } from './stops.ts';

type HeldPorts = Pick<AgentPorts, 'chunks' | 'clock' | 'endpoints' | 'jobQueues' | 'jobs' | 'objects'>;

/**
 * A held job and its message. The message stays hidden in its queue until a beat has written the job's id to the
 * worker's lease. After that beat, only the lease points to the job (docs/adr/0002).
 */
export interface HeldJob {
  readonly job: RunningJob;
  readonly stream: ChunkStream;
  /** Returns how long the worker has had the job, in milliseconds, by the agent's monotonic clock. */
  ran(): number;
  /** Returns the job's share of the worker's time, in whole milliseconds: of n held jobs, each has one nth. */
  workerTime(): number | undefined;
  /** Deletes the message if it still exists, because the lease contains the job's id or the job has ended. */
  dropMessage(): void;
  /**
   * Stores the job as TIMED_OUT if it has run for longer than its time-out.
   * @returns whether it has
   */
  timeOut(): Promise<boolean>;
  /** Requeues the job, and makes sure that its queue has a message for it. */
  requeue(reason: RequeueReason): Promise<void>;
}

/** A held job that is still this worker's. */
export interface OwnJob extends HeldJob {
  /** Name of the caller in the user's container that receives the job. */
  readonly taker: string;
}

interface Entry extends OwnJob {
  /** Why the job is no longer this worker's, although the container may still run it. */
  loss?: Loss;
  /** Whether the job is being ended or requeued. */
  busy?: boolean;
}

/** Which held jobs to requeue, and why. */
export interface Requeued {
  /** The only taker whose jobs are requeued. */
  readonly taker?: string | undefined;
  /** Ids of jobs that remain held. */
  readonly except?: ReadonlySet<string>;
  readonly reason?: RequeueReason;
}

export interface HeldJobs {
  readonly size: number;
  add(job: RunningJob, message: ReceivedMessage, taker: string): void;
  has(id: string): boolean;
  /** Whether the job is being ended or requeued. */
  isEnding(id: string): boolean;
  /** Returns the job, if it is held and still this worker's. */
  find(id: string): HeldJob | undefined;
  /** Returns the jobs that are still this worker's, for its lease. */
  own(): readonly OwnJob[];
  /**
   * Stops holding a job. If `finalize` fails, the worker still holds the job.
   * @param finalize stores the job's end and returns a log line; not called for a lost job
   * @returns false if the job is not held
   */
  end(id: string, finalize: (job: HeldJob) => Promise<string>): Promise<boolean>;
  /**
   * Requeues a job and stops holding it.
   * @param reason by default `GIVEN_UP`
   */
  requeue(id: string, reason?: RequeueReason): Promise<void>;
  /** Requeues all jobs, or some of them. */
  requeueAll(which?: Requeued): Promise<void>;
  /** Checks whether the jobs are still this worker's. The container must stop each lost job. */
  check(): Promise<void>;
}

export interface HeldJobsHost {
  readonly log: AgentLog;
  /** A monotonic clock in milliseconds, whose start does not matter. */
  readonly elapsed: () => number;
}

function createHeldJob(
  ports: HeldPorts,
  drops: Pick<MessageDrops, 'add'>,
  job: RunningJob,
  received: ReceivedMessage,
  { log, elapsed, shares }: HeldJobsHost & { readonly shares: Shares },
): HeldJob {
  let message: ReceivedMessage | undefined = received;
  // The take has set `startedAt` a moment ago. From here on, changes of the system's clock have no effect.
  const start = elapsed() - (ports.clock.now() - job.startedAt);
  const ran = () => elapsed() - start;

  /**
   * Returns the message to one caller only. Otherwise a beat that ends during a requeue would delete the message of
   * the requeued job.
   */
  function takeMessage(): ReceivedMessage | undefined {
    const taken = message;
    message = undefined;
    return taken;
  }

  function dropMessage(): void {
    const own = takeMessage();
    if (own) drops.add(own, job.id);
  }

  async function timeOutNow(): Promise<boolean> {
    const lasted = ran();
    if (!isOverTime(job, lasted)) return false;
    await timeOut(ports, job, lasted);
    dropMessage();
    return true;
  }

  return {
    job,
    stream: createChunkStream(ports, job, log),
    ran,
    workerTime() {
      const share = shares.of(job.id);
      return share === undefined ? undefined : Math.round(share);
    },
    dropMessage,
    timeOut: timeOutNow,

    async requeue(reason) {
      if (await timeOutNow()) return;
      const endpoint = await ports.endpoints.read(job.endpoint);
      const generation = endpoint?.generation ?? job.generation;
      // A message of an older generation would be dropped without a read of the job.
      const own = received.generation === generation ? takeMessage() : undefined;
      // The message is sent before the job is requeued, so that at any time a message or a lease points to the
      // job.
      const queue = endpoint ? queueOf(endpoint, job, generation) : received.queueUrl;
      if (!own) await ports.jobQueues.send(queue, messageOf(job, generation));
      await rescue(ports, job, 0, generation, reason);
      if (own)
        await ports.jobQueues
          .hide(own, 0)
          .catch((error: unknown) =>
            log.error('A message could not be released; it becomes visible later.', { error, jobId: job.id }),
          );
    },
  };
}

/**
 * Holds the jobs of a worker from their start until they end or are requeued.
 * @param onLetGo called when the worker has stopped holding a job
 */
export function createHeldJobs(
  ports: HeldPorts,
  drops: Pick<MessageDrops, 'add'>,
  stops: Pick<Stops, 'add' | 'remove'>,
  host: HeldJobsHost,
  onLetGo: () => void,
): HeldJobs {
  const { log } = host;
  const held = new Map<string, Entry>();
  const shares = createShares(host.elapsed);

  async function end(id: string, finalize: (job: HeldJob) => Promise<string>): Promise<boolean> {
    const entry = held.get(id);
    if (!entry) return false;
    entry.busy = true;
    try {
      const message = entry.loss ? 'The container released a job that was lost.' : await finalize(entry);
      // The same report may arrive twice, and the job may have been taken again after the first.
      if (held.get(id) !== entry) return true;
      held.delete(id);
      shares.end(id);
      entry.stream.stop();
      stops.remove(id);
      onLetGo();
      log.info(message, { jobId: id, holds: false, held: held.size } satisfies HoldFields);
      return true;
    } finally {
      entry.busy = false;
    }
  }

  async function requeue(id: string, reason: RequeueReason = 'GIVEN_UP'): Promise<void> {
    await end(id, async (job) => {
      await job.requeue(reason);
      return 'Job requeued.';
    });
  }

  async function check(entry: Entry): Promise<void> {
    if (entry.loss || entry.busy) return;
    const { id } = entry.job;
    // A report that arrives while the job is read can still be in time, so the time is taken before.
    const loss = await hold(ports, entry.job, entry.ran());
    if (!loss || entry.busy || held.get(id) !== entry) return;
    entry.loss = loss;
    entry.stream.stop();
    stops.add(id);
    log.info(`A job that runs here must stop: ${loss}.`, { jobId: id });
    // Another worker may have taken the job with this message, and still need it.
    if (loss !== 'no longer held') entry.dropMessage();
  }

  return {
    get size() {
      return held.size;
    },
    add(job, message, taker) {
      shares.begin(job.id);
      held.set(job.id, { ...createHeldJob(ports, drops, job, message, { ...host, shares }), taker });
    },
    has: (id) => held.has(id),
    isEnding: (id) => held.get(id)?.busy === true,
    find: (id) => (held.get(id)?.loss ? undefined : held.get(id)),
    own: () => [...held.values()].filter(({ loss }) => !loss),
    end,
    requeue,

    async requeueAll({ taker, except, reason } = {}) {
      const jobs = [...held.values()].filter((entry) => taker === undefined || entry.taker === taker);
      const gone = jobs.filter(({ job }) => !except?.has(job.id));
      const results = await Promise.allSettled(gone.map(({ job }) => requeue(job.id, reason)));
      const failures = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason as unknown);
      if (failures.length > 0) throw new AggregateError(failures, 'Jobs could not be requeued.');
    },

    async check() {
      const checks = [...held.values()].map((entry) =>
        check(entry).catch((error: unknown) => log.error('A job could not be read.', { error, jobId: entry.job.id })),
      );
      await Promise.all(checks);
    },
  };
}
