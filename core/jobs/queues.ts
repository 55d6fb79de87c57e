/** Queue messages: which queue the message of a job goes to, and what it says. */
import type { Endpoint, EndpointConfig } from '../endpoints/endpoint.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { LOW_PRIORITY_PATIENCE } from '../limits.ts';
import type { Job } from './job.ts';
import type { Jobs } from './store.ts';

/** Asks a worker to look at a job. The jobs table alone says what is true of the job. */
export interface JobMessage {
  readonly endpoint: string;
  readonly job: string;
  readonly attempt: number;
  readonly generation: number;
}

export interface ReceivedMessage extends JobMessage {
  /** Names this delivery of the message to `hide` and `drop`. */
  readonly receipt: string;
  readonly queueUrl: string;
  /** When it was first sent, in milliseconds since the epoch. */
  readonly sentAt: number;
}

export interface JobQueues {
  /** @param delay milliseconds until it shows, at most 15 minutes */
  send(queueUrl: string, message: JobMessage, delay?: number): Promise<void>;
  /** Waits up to `wait` ms for a message, which then stays hidden from other workers for `hidden` ms. */
  receive(queueUrl: string, wait: number, hidden: number, signal?: AbortSignal): Promise<ReceivedMessage | undefined>;
  /** Receives messages without waiting for any; each then stays hidden for `hidden` ms. */
  receiveBatch(queueUrl: string, hidden: number): Promise<ReceivedMessage[]>;
  /** Hides a received message for `hidden` ms from now; 0 shows it to other workers at once. */
  hide(message: ReceivedMessage, hidden: number): Promise<void>;
  drop(message: ReceivedMessage): Promise<void>;
  /** Drops messages of one queue that were received together. One that could not be dropped shows again. */
  dropBatch(messages: readonly ReceivedMessage[]): Promise<void>;
}

/**
 * The URL of the queue for a job's message. A purge leaves its dead messages in one queue, and messages of later jobs go
 * to the other (docs/adr/0006).
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

/** @param generation of the job when a worker receives the message */
export const messageOf = ({ endpoint, id, attempt, generation: present }: Job, generation = present): JobMessage => ({
  endpoint,
  job: id,
  attempt,
  generation,
});

/** Generation of the message and of the job when it is received, and milliseconds until it shows, at most 15 minutes. */
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
 * Whether the queue of a message was purged and nothing needs the message any more. It costs a read: a refused take would
 * cost a write, and a purge can leave a great many messages.
 *
 * The generation of the message alone does not decide. A job that ran when its queue was purged continues to run. Until
 * a lease names it, and after another worker has requeued it, the old message may be all that points to it.
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
 * Whether a job of low priority yields to the normal jobs that wait. The counts may be wrong for a while, so it does so for
 * `LOW_PRIORITY_PATIENCE` at most.
 * @param since when its message was sent, in milliseconds since the epoch
 */
export const yieldsToNormal = ({ counts }: Pick<Endpoint, 'counts'>, since: number, now: number): boolean =>
  now - since < LOW_PRIORITY_PATIENCE && counts.inQueue > counts.lowInQueue;
