/**
 * Receives the messages of the endpoint's queues. Drops the messages of purged jobs, and receives normal jobs
 * before low priority.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Endpoint } from '../../core/endpoints/endpoint.ts';
import { isDead, type ReceivedMessage, yieldsToNormal } from '../../core/jobs/queues.ts';
import { LEASE, LOW_PRIORITY_PAUSE, SECOND } from '../../core/limits.ts';
import type { Pause } from '../process.ts';
import type { AgentConfig, AgentLog, AgentPorts } from './ports.ts';
import type { RevisionWatcher } from './revision-watcher.ts';

/** The longest wait of a long poll of SQS, in milliseconds. */
const RECEIVE_WAIT = 20 * SECOND;
const PAUSE_AFTER_ERROR = SECOND;
/** Number of batches that are received in parallel while all messages belong to purged jobs. */
const BATCHES = 5;
/** Head start that a normal message has over a message of low priority that arrives at the same time. */
const HEAD_START = 50;

export interface MessageSource {
  /**
   * Returns the next message, hidden from other workers for `LEASE` ms. Returns undefined once `signal` aborts or
   * the source is stopped.
   */
  next(signal: AbortSignal): Promise<ReceivedMessage | undefined>;
  /**
   * Makes the message visible to other workers now. Logs a failure: the message becomes visible when its
   * visibility timeout is over.
   */
  release(message: ReceivedMessage): Promise<void>;
  /** Stops receiving messages. */
  stop(): void;
  isStopped(): boolean;
}

export interface MessageSourceOptions {
  readonly ports: Pick<AgentPorts, 'clock' | 'endpoints' | 'jobQueues' | 'jobs'>;
  readonly config: Pick<AgentConfig, 'normalQueueUrls' | 'lowQueueUrls'>;
  readonly watcher: Pick<RevisionWatcher, 'see'>;
  readonly log: AgentLog;
  readonly pause: Pause;
}

/**
 * Polls all queues in parallel while a caller waits. When the caller has its message, the other polls continue
 * for the next caller, because aborting a poll could lose a message that SQS is sending. A message that arrives
 * while no caller waits is released immediately.
 */
export function createMessageSource({ ports, config, watcher, log, pause }: MessageSourceOptions): MessageSource {
  const { normalQueueUrls, lowQueueUrls } = config;
  const stopping = new AbortController();
  const waiters: ((message: ReceivedMessage | undefined) => void)[] = [];
  const polled = new Set<string>();

  const release = (message: ReceivedMessage) =>
    ports.jobQueues
      .hide(message, 0)
      .catch((error: unknown) => log.error('A message could not be released.', { error }));

  /**
   * Returns whether a job of low priority may start here now. If not, hides its message from all workers for a
   * moment, and pauses before this worker receives the next message of the queue: thousands may wait, and each costs
   * two requests.
   */
  async function mayStart(endpoint: Endpoint | undefined, message: ReceivedMessage): Promise<boolean> {
    if (!endpoint || !yieldsToNormal(endpoint, message.sentAt, ports.clock.now())) {
      await pause(HEAD_START, stopping.signal);
      return true;
    }
    await ports.jobQueues.hide(message, LOW_PRIORITY_PAUSE + SECOND);
    await pause(LOW_PRIORITY_PAUSE, stopping.signal);
    return false;
  }

  async function receive(queueUrl: string): Promise<void> {
    const received = await receiveLive(ports, queueUrl, RECEIVE_WAIT, stopping.signal, release);
    if (!received) return;
    const endpoint = await ports.endpoints.read(received.endpoint);
    watcher.see(endpoint);
    if (lowQueueUrls.includes(queueUrl) && !(await mayStart(endpoint, received))) return;
    const waiter = waiters.shift();
    await (waiter ? waiter(received) : release(received));
  }

  async function poll(queueUrl: string): Promise<void> {
    if (polled.has(queueUrl)) return;
    polled.add(queueUrl);
    while (waiters.length > 0 && !stopping.signal.aborted) {
      await receive(queueUrl).catch(async (error: unknown) => {
        if (stopping.signal.aborted) return;
        log.error('A queue could not be read; retrying.', { error });
        await delay(PAUSE_AFTER_ERROR, undefined, { signal: stopping.signal }).catch(() => undefined);
      });
    }
    polled.delete(queueUrl);
  }

  return {
    async next(signal) {
      const ended = AbortSignal.any([signal, stopping.signal]);
      if (ended.aborted) return undefined;
      const { promise, resolve } = Promise.withResolvers<ReceivedMessage | undefined>();
      const giveUp = () => {
        waiters.splice(waiters.indexOf(resolve), 1);
        resolve(undefined);
      };
      waiters.push(resolve);
      ended.addEventListener('abort', giveUp, { once: true });
      for (const queueUrl of [...normalQueueUrls, ...lowQueueUrls]) void poll(queueUrl);
      return promise.finally(() => ended.removeEventListener('abort', giveUp));
    },

    release,
    stop: () => stopping.abort(),
    isStopped: () => stopping.signal.aborted,
  };
}

/**
 * Waits up to `wait` ms for a message whose job has not been purged, and hides it from other workers for `LEASE` ms.
 *
 * It receives one message at a time, and leaves the rest to other workers. After a message of a purged job there
 * may be thousands more. It then receives and drops batches until it finds a live message or none is left. If all
 * messages of a batch belong to purged jobs, it receives `BATCHES` in parallel.
 * @param release makes a message visible to other workers
 */
export async function receiveLive(
  ports: Pick<AgentPorts, 'endpoints' | 'jobQueues' | 'jobs'>,
  queueUrl: string,
  wait: number,
  signal: AbortSignal,
  release: (message: ReceivedMessage) => Promise<void>,
): Promise<ReceivedMessage | undefined> {
  const { jobQueues } = ports;
  const received = await jobQueues.receive(queueUrl, wait, LEASE, signal);
  if (!received || !(await isDead(ports, received))) return received;
  await jobQueues.drop(received);
  for (let atOnce = 1; !signal.aborted; atOnce = BATCHES) {
    const batches = await Promise.all(
      Array.from({ length: atOnce }, async () => {
        const batch = await jobQueues.receiveBatch(queueUrl, LEASE);
        return { isEmpty: batch.length === 0, live: await liveOf(ports, batch) };
      }),
    );
    const [mine, ...others] = batches.flatMap(({ live }) => live);
    await Promise.all(others.map(release));
    if (mine || batches.every(({ isEmpty }) => isEmpty)) return mine;
  }
  return undefined;
}

/** Drops the messages of purged jobs. @returns the other messages */
async function liveOf(
  ports: Pick<AgentPorts, 'endpoints' | 'jobQueues' | 'jobs'>,
  messages: readonly ReceivedMessage[],
): Promise<ReceivedMessage[]> {
  const dead = await Promise.all(messages.map((message) => isDead(ports, message)));
  await ports.jobQueues.dropBatch(messages.filter((_, n) => dead[n]));
  return messages.filter((_, n) => !dead[n]);
}
