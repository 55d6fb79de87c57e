/**
 * Receives the messages of the endpoint's queues. Drops the messages of purged jobs, and receives normal jobs
 * before low priority.
 */
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import type { Endpoint } from '../../core/endpoints/endpoint.ts';
import { isDead, MESSAGE_BATCH, type ReceivedMessage, yieldsToNormal } from '../../core/jobs/queues.ts';
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
 * Polls all queues in parallel while a caller waits. A poll asks for one message for each waiting caller. When the
 * callers have their messages, the other polls continue for the next callers, because aborting a poll could lose a
 * message that SQS is sending. A message that arrives while no caller waits is released immediately.
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
    const isLow = lowQueueUrls.includes(queueUrl);
    // Each job of low priority first yields to normal jobs.
    const most = isLow ? 1 : waiters.length;
    const received = await receiveLive(ports, { queueUrl, most, wait: RECEIVE_WAIT }, stopping.signal, release);
    const [first] = received;
    if (!first) return;
    const endpoint = await ports.endpoints.read(first.endpoint);
    watcher.see(endpoint);
    if (isLow && !(await mayStart(endpoint, first))) return;
    await Promise.all(received.map((message) => handOver(message)));
  }

  async function handOver(message: ReceivedMessage): Promise<void> {
    const waiter = waiters.shift();
    await (waiter ? waiter(message) : release(message));
  }

  async function poll(queueUrl: string): Promise<void> {
    if (polled.has(queueUrl)) return;
    polled.add(queueUrl);
    // Callers that begin to wait at the same time share the first call.
    await turn();
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

interface Poll {
  readonly queueUrl: string;
  /** Maximum number of messages. */
  readonly most: number;
  /** Longest wait for a message, in milliseconds. */
  readonly wait: number;
}

/**
 * Waits for messages whose jobs have not been purged, and hides them from other workers for `LEASE` ms.
 *
 * It receives no more messages than `most`, and leaves the rest to other workers. After messages of purged jobs
 * there may be thousands more. It then receives and drops batches until it finds a live message or none is left. If
 * all messages of a batch belong to purged jobs, it receives `BATCHES` in parallel.
 * @param release makes a message visible to other workers
 */
export async function receiveLive(
  ports: Pick<AgentPorts, 'endpoints' | 'jobQueues' | 'jobs'>,
  { queueUrl, most, wait }: Poll,
  signal: AbortSignal,
  release: (message: ReceivedMessage) => Promise<void>,
): Promise<ReceivedMessage[]> {
  const { jobQueues } = ports;
  const received =
    most > 1
      ? await jobQueues.receiveBatch(queueUrl, most, wait, LEASE, signal)
      : [await jobQueues.receive(queueUrl, wait, LEASE, signal)].filter((message) => message !== undefined);
  const live = await liveOf(ports, received);
  if (received.length === 0 || live.length > 0) return live;
  for (let atOnce = 1; !signal.aborted; atOnce = BATCHES) {
    const batches = await Promise.all(
      Array.from({ length: atOnce }, async () => {
        const batch = await jobQueues.receiveBatch(queueUrl, MESSAGE_BATCH, 0, LEASE);
        return { isEmpty: batch.length === 0, live: await liveOf(ports, batch) };
      }),
    );
    const found = batches.flatMap(({ live: messages }) => messages);
    await Promise.all(found.slice(most).map(release));
    if (found.length > 0 || batches.every(({ isEmpty }) => isEmpty)) return found.slice(0, most);
  }
  return [];
}

/** Drops the messages of purged jobs. @returns the other messages */
async function liveOf(
  ports: Pick<AgentPorts, 'endpoints' | 'jobQueues' | 'jobs'>,
  messages: readonly ReceivedMessage[],
): Promise<ReceivedMessage[]> {
  const areDead = await Promise.all(messages.map((message) => isDead(ports, message)));
  const dead = messages.filter((_, n) => areDead[n]);
  if (dead.length > 0) await ports.jobQueues.dropBatch(dead);
  return messages.filter((_, n) => !areDead[n]);
}
