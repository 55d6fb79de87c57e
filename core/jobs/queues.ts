/** Messages: which queue a job's goes to, and what it says. */
import type { Endpoint, EndpointConfig } from '../endpoints/endpoint.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { LOW_PRIORITY_PATIENCE } from '../limits.ts';
import type { Job } from './job.ts';
import type { Jobs } from './store.ts';

/** A message that says: look at this job. The jobs table alone says what is true. */
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
  /** When it was sent, in milliseconds since the epoch; of a message that is shown again, for the first time. */
  readonly sentAt: number;
}

export interface JobQueues {
  /** @param delay milliseconds until it shows, at most 15 minutes */
  send(queueUrl: string, message: JobMessage, delay?: number): Promise<void>;
  /** Waits up to `wait` ms for a message, which then stays hidden from other workers for `hidden` ms. */
  receive(queueUrl: string, wait: number, hidden: number, signal?: AbortSignal): Promise<ReceivedMessage | undefined>;
  /** Some of the messages that are there, without waiting for any; each then stays hidden for `hidden` ms. */
  receiveBatch(queueUrl: string, hidden: number): Promise<ReceivedMessage[]>;
  /** Hides a received message for `hidden` ms from now; 0 gives it back. */
  hide(message: ReceivedMessage, hidden: number): Promise<void>;
  drop(message: ReceivedMessage): Promise<void>;
  /** Drops messages of one queue that were received together. One that could not be dropped shows again. */
  dropBatch(messages: readonly ReceivedMessage[]): Promise<void>;
}

/**
 * A purge leaves its dead messages in one queue, and messages of jobs that come after it go to the other
 * (docs/adr/0006).
 * @param generation that the message names
 */
export function queueOf(
  { lowQueueUrls, normalQueueUrls }: Pick<EndpointConfig, 'lowQueueUrls' | 'normalQueueUrls'>,
  { generation: present, lowPriority }: Pick<Job, 'generation' | 'lowPriority'>,
  generation = present,
): string {
  const [even, odd] = lowPriority ? lowQueueUrls : normalQueueUrls;
  return generation % 2 === 0 ? even : odd;
}

/** @param generation that the job will have when the message is followed */
export const messageOf = ({ endpoint, id, attempt, generation: present }: Job, generation = present): JobMessage => ({
  endpoint,
  job: id,
  attempt,
  generation,
});

/**
 * Whether a message is of no more use because its queue was purged. A read tells: a refused take would cost a write,
 * and a purge can leave a great many of them.
 *
 * The generation of the message alone does not tell. A job that ran when its queue was purged goes on; until a lease
 * names it, and after it was put back by whoever followed the message, the old message may be all that points to it.
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
 * When jobs of low priority have to wait for others.
 *
 * Whether a job of low priority leaves a worker to the normal jobs that wait. The counts may be wrong for a while, so it
 * never does so for longer than its patience.
 * @param since when its message was sent, in milliseconds
 */
export const standsBack = ({ counts }: Pick<Endpoint, 'counts'>, since: number, now: number): boolean =>
  now - since < LOW_PRIORITY_PATIENCE && counts.inQueue > counts.lowInQueue;
