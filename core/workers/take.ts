import type { Clock } from '../clock.ts';
import { deployed, type Endpoints } from '../endpoints/store.ts';
import { finalize } from '../jobs/ending.ts';
import type { RunningJob } from '../jobs/job.ts';
import { type JobMessage, type JobQueues, sendMessage } from '../jobs/queues.ts';
import type { Jobs } from '../jobs/store.ts';
import { LEASE, PERMIT, SECOND } from '../limits.ts';
import { holdsJob, isAlive, type Workers } from './lease.ts';
import { rescue } from './rescue.ts';

/**
 * Result of a take: the worker holds the job, the message is stale, or the message becomes visible again in
 * `hidden` ms.
 */
export type Taken =
  | { readonly outcome: 'taken'; readonly job: RunningJob }
  | { readonly outcome: 'stale' }
  | { readonly outcome: 'held'; readonly hidden: number };

type TakePorts = {
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly jobQueues: JobQueues;
  readonly jobs: Jobs;
  readonly workers: Workers;
};

/** What the agent knows of its worker when it takes a job. */
export interface KnownOfWorker {
  /** Revision that the task runs. */
  readonly revision?: number | undefined;
  /** Whether the worker returns the chunks of a job as its output. */
  readonly aggregates?: true | undefined;
}

/**
 * Takes the job of a message.
 *
 * Input: worker, message, what the agent knows of the worker. Output: the job, or how to handle the message.
 *  1. Move the job to this worker in one conditional write. Of several workers, only one succeeds.
 *  2. If the write took so long that a purge might have responded in the meantime, read the endpoint again, and
 *     give up a purged job.
 *  3. End a job that is overdue or purged. The message is stale if the job has a final status or does not exist.
 *  4. Return a job that this worker already holds, because the response to an earlier take was lost.
 *  5. Leave the job if another live worker holds it.
 *  6. If the job's worker is lost or never received the job, send a new message, rescue the job, and repeat from
 *     step 1. The new message finds another worker if this worker stops here.
 */
export async function take(
  ports: TakePorts,
  worker: string,
  message: JobMessage,
  known: KnownOfWorker = {},
): Promise<Taken> {
  const askedAt = ports.clock.now();
  const endpoint = await deployed(ports, message.endpoint);
  const facts = {
    $now: ports.clock.now(),
    $worker: worker,
    $revision: known.revision,
    $generation: endpoint.generation,
    $aggregates: known.aggregates,
  };
  const { moved, job: stored } = await ports.jobs.move('take', { endpoint: message.endpoint, id: message.job }, facts);
  const job = stored && (await finalize(ports, stored, endpoint));
  if (job?.status === 'IN_QUEUE') return { outcome: 'held', hidden: SECOND };
  if (job?.status !== 'IN_PROGRESS') return { outcome: 'stale' };
  if (moved && ports.clock.now() - askedAt > PERMIT && (await isPurged(ports, job))) {
    await rescue(ports, job, 0, job.generation, 'GIVEN_UP');
    return { outcome: 'stale' };
  }
  if (job.worker === worker) return { outcome: 'taken', job };

  const lease = await ports.workers.read(job.endpoint, job.worker);
  // A message for an attempt that still runs was sent by a worker that is about to requeue the job.
  const soon = message.attempt === job.attempt;
  const isHeld = lease !== undefined && isAlive(lease, ports.clock.now()) && holdsJob(lease, job);
  if (isHeld) return { outcome: 'held', hidden: soon ? SECOND : LEASE };
  // Read the current generation, because a job with an older generation would be purged.
  const generation = (await ports.endpoints.readNow(job.endpoint))?.generation ?? endpoint.generation;
  await sendMessage(ports, endpoint, job, { generation });
  await rescue(ports, job, Math.min(lease?.endsAt ?? 0, ports.clock.now() - 1), generation);
  return take(ports, worker, message, known);
}

async function isPurged({ endpoints }: { readonly endpoints: Endpoints }, job: RunningJob): Promise<boolean> {
  const endpoint = await endpoints.readNow(job.endpoint);
  return endpoint !== undefined && job.generation < endpoint.generation;
}
