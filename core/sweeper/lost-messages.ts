import pLimit from 'p-limit';
import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Endpoints } from '../endpoints/store.ts';
import type { Job } from '../jobs/job.ts';
import { type JobQueues, sendMessage } from '../jobs/queues.ts';
import type { Jobs } from '../jobs/store.ts';
import { MESSAGE_LOST, MESSAGES_PER_SWEEP, RESENT_AT_ONCE } from '../limits.ts';
import { isAlive, type Lease, type Workers } from '../workers/lease.ts';

type LostMessagesPorts = {
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly jobQueues: JobQueues;
  readonly jobs: Jobs;
  readonly workers: Workers;
};

/**
 * Sends messages again for jobs whose messages are lost. Without a message, a job would wait until its ttl or run
 * until its executionTimeout, and prevent an idle worker from stopping.
 *
 * Input: endpoint. Output: number of messages that were sent. Reads jobs only for one of these reasons:
 *  1. The stack of the endpoint was removed with its queues, and is deployed again: send a message for each waiting
 *     job, and for each running job that no lease names.
 *  2. A worker is idle although jobs wait, because a process crashed before it sent a message, or the queue dropped
 *     a message: send a message for each job that has waited for `MESSAGE_LOST`.
 */
export async function resendLost(ports: LostMessagesPorts, endpoint: Endpoint): Promise<number> {
  if (endpoint.messagesLostAt !== undefined) return resendAfterRemoval(ports, endpoint, endpoint.messagesLostAt);
  const now = ports.clock.now();
  const idles = (lease: Lease) =>
    isAlive(lease, now) && lease.idleSince !== undefined && now - lease.idleSince >= MESSAGE_LOST;
  if (endpoint.counts.inQueue <= 0 || !(await ports.workers.list(endpoint.id)).some(idles)) return 0;

  let sent = 0;
  for await (const job of ports.jobs.list(endpoint.id)) {
    if (!waits(job, endpoint, now) || now - (job.queueDeadline - job.queueTtl) < MESSAGE_LOST) continue;
    await send(ports, endpoint, job);
    sent += 1;
    if (sent === MESSAGES_PER_SWEEP) break;
  }
  return sent;
}

const waits = (job: Job, { generation }: Endpoint, now: number) =>
  job.status === 'IN_QUEUE' && job.generation >= generation && now < job.queueDeadline;

/** Sends a job's message with the current generation, which a running job gets when it is requeued. */
const send = (ports: LostMessagesPorts, endpoint: Endpoint, job: Job): Promise<void> =>
  sendMessage(ports, endpoint, job, {
    generation: job.status === 'IN_PROGRESS' ? endpoint.generation : job.generation,
  });

/**
 * Sends messages after the stack was removed. A worker that receives the message of a lost worker's job requeues
 * the job. The lease of a lost worker does not name jobs that it took after its last beat. The jobs of a live
 * worker are not requeued, even before its lease names them. Of concurrent sweeps, only the first one sends, unless
 * it exceeds the timeout of its function.
 */
async function resendAfterRemoval(ports: LostMessagesPorts, endpoint: Endpoint, lostAt: number): Promise<number> {
  const now = ports.clock.now();
  if (!(await ports.endpoints.beginResend(endpoint.id, lostAt, now))) return 0;
  const named = new Set((await ports.workers.list(endpoint.id)).flatMap(({ jobs }) => jobs));
  const isStray = (job: Job) => job.status === 'IN_PROGRESS' && !named.has(job.id);
  const sendAll = (jobs: readonly Job[]) => pLimit(RESENT_AT_ONCE).map(jobs, (job) => send(ports, endpoint, job));
  let sent = 0;
  let lost: Job[] = [];
  for await (const job of ports.jobs.list(endpoint.id)) {
    if (!waits(job, endpoint, now) && !isStray(job)) continue;
    lost.push(job);
    if (lost.length < MESSAGES_PER_SWEEP) continue;
    sent += (await sendAll(lost)).length;
    lost = [];
  }
  sent += (await sendAll(lost)).length;
  await ports.endpoints.finishResend(endpoint.id, lostAt);
  return sent;
}
