/**
 * Receives the messages of the endpoint's queues. Drops the messages of purged jobs, and receives normal jobs
 * before low priority.
 */

import { setImmediate as turn } from 'node:timers/promises';
import type { Pause } from '../../core/clock.ts';
import type { Endpoint } from '../../core/endpoints/endpoint.ts';
import { isDead, MESSAGE_BATCH, type ReceivedMessage, yieldsToNormal } from '../../core/jobs/queues.ts';
import { LEASE, LOW_PRIORITY_PAUSE, SECOND } from '../../core/limits.ts';
import { NEWER_FIRST } from '../../core/workers/succession.ts';
import type { AgentConfig, AgentLog, AgentPorts } from './ports.ts';
import type { RevisionWatcher } from './revision-watcher.ts';
import type { Succession } from './succession.ts';

/** The longest wait of a long poll of SQS, in milliseconds. */
const RECEIVE_WAIT = 20 * SECOND;
const PAUSE_AFTER_ERROR = SECOND;
/** Time after which a worker looks again whether its endpoint may spend money. */
const BUDGET_PAUSE = 5 * SECOND;
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
  /** Waits until all messages that have arrived are with a caller or released. */
  settled(): Promise<void>;
  isStopped(): boolean;
}

export interface MessageSourceOptions {
  readonly ports: Pick<AgentPorts, 'clock' | 'endpoints' | 'jobQueues' | 'jobs'>;
  readonly config: Pick<AgentConfig, 'endpoint' | 'normalQueueUrls' | 'lowQueueUrls'>;
  readonly watcher: Pick<RevisionWatcher, 'see'>;
  readonly succession: Pick<Succession, 'precedence' | 'takes'>;
  readonly log: AgentLog;
  readonly pause: Pause;
}

/**
 * Polls all queues in parallel while a caller waits. A poll asks for one message for each waiting caller. When the
 * callers have their messages, the other polls continue for the next callers, because aborting a poll could lose a
 * message that SQS is sending. A message that arrives while no caller waits is released immediately.
 */
export function createMessageSource(options: MessageSourceOptions): MessageSource {
  const { ports, config, watcher, succession, log, pause } = options;
  const { normalQueueUrls, lowQueueUrls } = config;
  const stopping = new AbortController();
  const waiters: ((message: ReceivedMessage | undefined) => void)[] = [];
  const polls = new Map<string, Promise<void>>();

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

  /** Leaves a message to workers of the wanted revision. The pause keeps this worker from receiving it again first. */
  const letNewerTake = () => pause(NEWER_FIRST, stopping.signal);

  async function receive(queueUrl: string): Promise<void> {
    const precedence = await succession.precedence();
    if (precedence === 'BUDGET_SPENT') return pause(BUDGET_PAUSE, stopping.signal);
    if (precedence === 'SUPERSEDED') return letNewerTake();
    if (waiters.length === 0) return;
    const isLow = lowQueueUrls.includes(queueUrl);
    // Each job of low priority first yields to normal jobs.
    const max = isLow ? 1 : waiters.length;
    // A stale worker that waited for a message would receive as many new messages as each new worker.
    const wait = precedence === 'EQUAL' ? RECEIVE_WAIT : 0;
    const received = await receiveLive(ports, { queueUrl, max, wait }, stopping.signal, release);
    const [first, ...others] = received;
    if (!first) return precedence === 'EQUAL' ? undefined : letNewerTake();
    let own = received;
    try {
      const endpoint = await ports.endpoints.read(config.endpoint);
      watcher.see(endpoint);
      own = await ownOf(received);
      if (own.length === 0) return letNewerTake();
      if (isLow && !(await mayStart(endpoint, first))) return;
    } catch (error) {
      // Only one message waits for its visibility timeout, as if it had been received alone.
      await Promise.all(others.map(release));
      throw error;
    }
    await Promise.all(own.map(handOver));
  }

  /** Releases the messages that this worker leaves to others, and returns the rest. */
  async function ownOf(received: readonly ReceivedMessage[]): Promise<ReceivedMessage[]> {
    const precedence = await succession.precedence();
    const own = received.filter((message) => succession.takes(precedence, message));
    await Promise.all(received.filter((message) => !own.includes(message)).map(release));
    return own;
  }

  async function handOver(message: ReceivedMessage): Promise<void> {
    const waiter = waiters.shift();
    await (waiter ? waiter(message) : release(message));
  }

  function poll(queueUrl: string): void {
    if (!polls.has(queueUrl))
      polls.set(
        queueUrl,
        receiveAll(queueUrl).finally(() => polls.delete(queueUrl)),
      );
  }

  /** Receives messages while a caller waits. */
  async function receiveAll(queueUrl: string): Promise<void> {
    // Callers that begin to wait at the same time share the first call.
    await turn();
    while (waiters.length > 0 && !stopping.signal.aborted) {
      await receive(queueUrl).catch(async (error: unknown) => {
        if (stopping.signal.aborted) return;
        log.error('A queue could not be read; retrying.', { error });
        await pause(PAUSE_AFTER_ERROR, stopping.signal);
      });
    }
  }

  return {
    async next(signal) {
      const signals = [signal, stopping.signal];
      if (signals.some(({ aborted }) => aborted)) return undefined;
      const { promise, resolve } = Promise.withResolvers<ReceivedMessage | undefined>();
      const giveUp = () => {
        // A caller that already has its message no longer waits.
        const place = waiters.indexOf(resolve);
        if (place >= 0) waiters.splice(place, 1);
        resolve(undefined);
      };
      waiters.push(resolve);
      // `AbortSignal.any` would create a signal for each message, which lives until the agent stops.
      for (const one of signals) one.addEventListener('abort', giveUp, { once: true });
      for (const queueUrl of [...normalQueueUrls, ...lowQueueUrls]) poll(queueUrl);
      return promise.finally(() => {
        for (const one of signals) one.removeEventListener('abort', giveUp);
      });
    },

    release,
    stop: () => stopping.abort(),
    settled: async () => void (await Promise.all(polls.values())),
    isStopped: () => stopping.signal.aborted,
  };
}

interface Poll {
  readonly queueUrl: string;
  /** Maximum number of messages. */
  readonly max: number;
  /** Longest wait for a message, in milliseconds. */
  readonly wait: number;
}

/**
 * Waits for messages whose jobs have not been purged, and hides them from other workers for `LEASE` ms.
 *
 * It receives no more messages than `max`, and leaves the rest to other workers. After messages of purged jobs
 * there may be thousands more. It then receives and drops batches until it finds a live message or none is left. If
 * all messages of a batch belong to purged jobs, it receives `BATCHES` in parallel.
 * @param release makes a message visible to other workers
 */
export async function receiveLive(
  ports: Pick<AgentPorts, 'endpoints' | 'jobQueues' | 'jobs'>,
  { queueUrl, max, wait }: Poll,
  signal: AbortSignal,
  release: (message: ReceivedMessage) => Promise<void>,
): Promise<ReceivedMessage[]> {
  const { jobQueues } = ports;
  const received = await jobQueues.receive(queueUrl, max, wait, LEASE, signal);
  const live = await liveOf(ports, received, release);
  if (received.length === 0 || live.length > 0) return live;
  for (let atOnce = 1; !signal.aborted; atOnce = BATCHES) {
    const batches = await Promise.allSettled(
      Array.from({ length: atOnce }, async () => {
        const batch = await jobQueues.receive(queueUrl, MESSAGE_BATCH, 0, LEASE);
        return { isEmpty: batch.length === 0, live: await liveOf(ports, batch, release) };
      }),
    );
    const read = batches.flatMap((batch) => (batch.status === 'fulfilled' ? batch.value : []));
    const found = read.flatMap(({ live: messages }) => messages);
    await Promise.all(found.slice(max).map(release));
    if (found.length > 0) return found.slice(0, max);
    const failure = batches.find((batch) => batch.status === 'rejected');
    if (failure) throw failure.reason;
    if (read.every(({ isEmpty }) => isEmpty)) return [];
  }
  return [];
}

/**
 * Drops the messages of purged jobs.
 *
 * If jobs cannot be read, the first of their messages stays hidden and the others are released: if a message always
 * fails, it must not return immediately.
 * @returns the other messages
 * @throws if no message remains because of a failure
 */
async function liveOf(
  ports: Pick<AgentPorts, 'endpoints' | 'jobQueues' | 'jobs'>,
  messages: readonly ReceivedMessage[],
  release: (message: ReceivedMessage) => Promise<void>,
): Promise<ReceivedMessage[]> {
  const checks = await Promise.allSettled(messages.map((message) => isDead(ports, message)));
  const those = (isWanted: (check: PromiseSettledResult<boolean>) => boolean) =>
    messages.filter((_, n) => checks[n] && isWanted(checks[n]));
  const live = those((check) => check.status === 'fulfilled' && !check.value);
  const dead = those((check) => check.status === 'fulfilled' && check.value);
  // The live messages do not wait for this.
  const released = those(({ status }) => status === 'rejected')
    .slice(1)
    .map(release);
  try {
    if (dead.length > 0) await ports.jobQueues.dropBatch(dead);
  } catch (error) {
    await Promise.all(live.map(release));
    throw error;
  }
  const failure = checks.find((check) => check.status === 'rejected');
  if (!failure || live.length > 0) return live;
  await Promise.all(released);
  throw failure.reason;
}
