/** From a message to a job in the hands of the user's container. */
import type { Clock } from '../../core/clock.ts';
import type { Endpoints } from '../../core/endpoints/store.ts';
import type { RunningJob } from '../../core/jobs/job.ts';
import { load } from '../../core/jobs/payload.ts';
import type { JobQueues, ReceivedMessage } from '../../core/jobs/queues.ts';
import { loadS3Config } from '../../core/jobs/s3-config.ts';
import type { Jobs, Objects, Payloads, Secrets } from '../../core/jobs/store.ts';
import { take } from '../../core/jobs/take.ts';
import { LEASE, SECOND } from '../../core/limits.ts';
import type { HoldFields } from '../../core/workers/hold-line.ts';
import type { Workers } from '../../core/workers/lease.ts';
import type { AgentLog } from './agent.ts';
import type { HeldJobs } from './held-jobs.ts';

/** A job for the user's container, with its input and, if it has one, its `s3Config` as JSON texts. */
export interface Offer {
  readonly id: string;
  readonly attempt: number;
  readonly input: string;
  readonly s3Config?: string;
}

export interface Taking {
  /** Takes the job that the message names for the taker, if there is anything to take. */
  follow(message: ReceivedMessage, taker: string): Promise<Offer | 'none'>;
}

type TakingPorts = {
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly jobQueues: JobQueues;
  readonly jobs: Jobs;
  readonly objects: Objects;
  readonly payloads: Payloads;
  readonly secrets: Secrets;
  readonly workers: Workers;
};

/** @param isDraining whether the worker takes no more jobs */
export function createTaking(
  ports: TakingPorts,
  worker: string,
  held: HeldJobs,
  log: AgentLog,
  isDraining: () => boolean,
): Taking {
  /** Ids of jobs that are on their way here. */
  const coming = new Set<string>();

  /** Others leave a job to a worker that lives, so one that cannot be started here is put back at once. */
  async function offered(job: RunningJob): Promise<Offer> {
    try {
      const [input, s3Config] = await Promise.all([load(ports, job, job.input), loadS3Config(ports, job)]);
      return { id: job.id, attempt: job.attempt, input, s3Config };
    } catch (error) {
      await held.giveBack(job.id);
      throw error;
    }
  }

  async function takeJob(message: ReceivedMessage, taker: string): Promise<Offer | 'none'> {
    const taken = await take(ports, worker, message);
    if (taken.outcome === 'stale') await ports.jobQueues.drop(message);
    if (taken.outcome === 'held') await ports.jobQueues.hide(message, taken.hidden);
    if (taken.outcome !== 'taken') return 'none';
    const { job } = taken;
    held.add(job, message, taker);
    const offer = await offered(job);
    const hold: HoldFields = { jobId: job.id, holds: true, held: held.size };
    log.info('Job taken.', { ...hold, attempt: job.attempt });
    if (isDraining()) {
      await held.giveBack(job.id);
      return 'none';
    }
    return offer;
  }

  return {
    async follow(message, taker) {
      if (held.has(message.job) || coming.has(message.job)) {
        // It came twice, or is the one with which the job is just being given back.
        await ports.jobQueues.hide(message, held.isEnding(message.job) ? SECOND : LEASE);
        return 'none';
      }
      coming.add(message.job);
      try {
        return await takeJob(message, taker);
      } finally {
        coming.delete(message.job);
      }
    },
  };
}
