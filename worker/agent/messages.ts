/**
 * Receives the messages of the endpoint's queues: without those of purged jobs, and normal jobs before low priority.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Endpoint } from '../../core/endpoints/endpoint.ts';
import { isDead, type ReceivedMessage, yieldsToNormal } from '../../core/jobs/queues.ts';
import { LEASE, LOW_PRIORITY_PAUSE, SECOND } from '../../core/limits.ts';
import type { Pause } from '../process.ts';
import type { AgentConfig, AgentLog, AgentPorts } from './ports.ts';
import type { RevisionWatcher } from './revision-watcher.ts';

/** The longest long poll of SQS. */
const RECEIVE_WAIT = 20 * SECOND;
const PAUSE_AFTER_ERROR = SECOND;
/** Batches that are received at once while all their messages are of purged jobs. */
const BATCHES = 5;
/** The start that a normal message has over one of low priority that arrives in the same moment. */
const HEAD_START = 50;

export interface MessageSource {
  /**
   * The next message, hidden from other workers for `LEASE` ms; undefined once `signal` aborts or the source is
   * stopped.
   */
  next(signal: AbortSignal): Promise<ReceivedMessage | undefined>;
  /** Makes the message visible to other workers now. A failure is logged: it becomes visible when its time is over. */
  release(message: ReceivedMessage): Promise<void>;
  /** Receives no more messages. */
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
 * Polls all queues at once while a caller waits. When the caller has its message, the other polls go on for the next
 * caller: aborting one could lose a message that SQS is just sending. A message that arrives while no caller waits is
 * released at once.
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
   * Whether a job of low priority may start here now. If not, its message is hidden from all workers for a moment, and
   * this worker receives no other one meanwhile: thousands may wait, and each look at one costs two requests.
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
        log.error('A queue could not be read; trying again.', { error });
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
 * It receives one message at a time, because others may be for other workers. Behind a message of a purged job there
 * may be thousands more. It then receives and drops batches, `BATCHES` at once if a whole one is of purged jobs, until
 * a message is live or none is left.
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

/** Drops the messages of purged jobs. @returns the others */
async function liveOf(
  ports: Pick<AgentPorts, 'endpoints' | 'jobQueues' | 'jobs'>,
  messages: readonly ReceivedMessage[],
): Promise<ReceivedMessage[]> {
  const dead = await Promise.all(messages.map((message) => isDead(ports, message)));
  await ports.jobQueues.dropBatch(messages.filter((_, n) => dead[n]));
  return messages.filter((_, n) => !dead[n]);
}
