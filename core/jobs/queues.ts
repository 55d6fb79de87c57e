/** Queue messages: their content, and the queue to which each is sent. */
import type { Endpoint, EndpointConfig } from '../endpoints/endpoint.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { LOW_PRIORITY_PATIENCE } from '../limits.ts';
import type { Job } from './job.ts';
import type { Jobs } from './store.ts';

/** Maximum number of messages in one call of SQS. */
export const MESSAGE_BATCH = 10;

/** A message that asks a worker to read a job. Only the jobs table contains the state of the job. */
export interface JobMessage {
  readonly endpoint: string;
  readonly job: string;
  readonly attempt: number;
  readonly generation: number;
}

export interface ReceivedMessage extends JobMessage {
  /** Identifies this delivery of the message for `hide` and `drop`. */
  readonly receipt: string;
  readonly queueUrl: string;
  /** When the message was first sent, in milliseconds since the epoch. */
  readonly sentAt: number;
}

export interface JobQueues {
  /**
   * Sends a message to a queue.
   * @param delay milliseconds until the message becomes visible, at most 15 minutes
   */
  send(queueUrl: string, message: JobMessage, delay?: number): Promise<void>;
  /**
   * Waits up to `wait` ms for a message. Returns up to `max` messages as soon as one is available, and hides them from
   * other workers for `hidden` ms.
   */
  receive(
    queueUrl: string,
    max: number,
    wait: number,
    hidden: number,
    signal?: AbortSignal,
  ): Promise<ReceivedMessage[]>;
  /** Hides a received message for `hidden` ms from now; 0 makes it visible to other workers immediately. */
  hide(message: ReceivedMessage, hidden: number): Promise<void>;
  drop(message: ReceivedMessage): Promise<void>;
  /**
   * Drops messages of one queue that were received together. A message that could not be dropped becomes visible
   * again.
   */
  dropBatch(messages: readonly ReceivedMessage[]): Promise<void>;
}

/**
 * Returns the URL of the queue for a job's message. A purge leaves dead messages in one queue, and messages of
 * later jobs are sent to the other queue (docs/adr/0006).
 * @param generation of the message
 */
export function queueOf(
  { lowQueueUrls, normalQueueUrls }: Pick<EndpointConfig, 'lowQueueUrls' | 'normalQueueUrls'>,
  { generation: present, lowPriority }: Pick<Job, 'generation' | 'lowPriority'>,
  generation = present,
): string {
  const [even, odd] = lowPriority ? lowQueueUrls : normalQueueUrls;
  return generation % 2 === 0 ? even : odd;
}

/**
 * Returns the message of a job.
 * @param generation of the job when a worker receives the message
 */
export const messageOf = ({ endpoint, id, attempt, generation: present }: Job, generation = present): JobMessage => ({
  endpoint,
  job: id,
  attempt,
  generation,
});

/**
 * Options of a message: the job's generation when a worker receives the message, and the milliseconds until it
 * becomes visible, at most 15 minutes.
 */
export interface MessageOptions {
  readonly generation?: number;
  readonly delay?: number;
}

/** Sends the message of a job to its queue. */
export const sendMessage = (
  { jobQueues }: { readonly jobQueues: JobQueues },
  endpoint: Pick<EndpointConfig, 'lowQueueUrls' | 'normalQueueUrls'>,
  job: Job,
  { generation = job.generation, delay }: MessageOptions = {},
): Promise<void> => jobQueues.send(queueOf(endpoint, job, generation), messageOf(job, generation), delay);

/**
 * Returns whether the queue of a message was purged and the message is no longer needed. This check costs a read;
 * a refused take would cost a write, and a purge can leave many messages.
 *
 * The generation of the message is not sufficient. A job that ran when its queue was purged continues to run.
 * Until a lease names it, or after another worker has requeued it, the old message might be its only reference.
 */
export async function isDead(
  { endpoints, jobs }: { readonly endpoints: Endpoints; readonly jobs: Jobs },
  { endpoint: id, job: name, generation }: JobMessage,
): Promise<boolean> {
  const endpoint = await endpoints.read(id);
  if (!endpoint || generation >= endpoint.generation) return false;
  const job = await jobs.read({ endpoint: id, id: name });
  if (job?.status === 'IN_QUEUE') return job.generation < endpoint.generation;
  return job?.status !== 'IN_PROGRESS';
}

/**
 * Returns whether a low-priority job yields to waiting normal jobs. It yields for at most `LOW_PRIORITY_PATIENCE`,
 * because the counts can be temporarily wrong.
 * @param since when the job's message was sent, in milliseconds since the epoch
 */
export const yieldsToNormal = ({ counts }: Pick<Endpoint, 'counts'>, since: number, now: number): boolean =>
  now - since < LOW_PRIORITY_PATIENCE && counts.inQueue > counts.lowInQueue;
