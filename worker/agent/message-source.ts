/** Long-polls an endpoint's queues at once, but only while somebody waits for a message. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ReceivedMessage } from '../../core/jobs/queues.ts';

const PAUSE_AFTER_ERROR = 1_000;

export interface MessageSourceVerbs {
  /** Waits some seconds for a message from one queue; the source calls it again. */
  receive(queueUrl: string, signal: AbortSignal): Promise<ReceivedMessage | undefined>;
  /** Makes a message visible to other workers again. */
  giveBack(message: ReceivedMessage): Promise<void>;
  onError(error: unknown): void;
}

export interface MessageSource {
  /** The next message, or nothing once `signal` aborts or the source is stopped. */
  next(signal: AbortSignal): Promise<ReceivedMessage | undefined>;
  stop(): void;
}

/**
 * A poll that is under way when its waiter has been served goes on, for the next waiter: to abort it could swallow a
 * message that SQS is just handing out. What it brings while nobody waits is given back at once.
 */
export function createMessageSource(queueUrls: readonly string[], verbs: MessageSourceVerbs): MessageSource {
  const stopping = new AbortController();
  const waiters: ((message: ReceivedMessage | undefined) => void)[] = [];
  const polled = new Set<string>();

  async function receive(queueUrl: string): Promise<void> {
    const message = await verbs.receive(queueUrl, stopping.signal);
    if (!message) return;
    const waiter = waiters.shift();
    await (waiter ? waiter(message) : verbs.giveBack(message));
  }

  async function poll(queueUrl: string): Promise<void> {
    if (polled.has(queueUrl)) return;
    polled.add(queueUrl);
    while (waiters.length > 0 && !stopping.signal.aborted) {
      await receive(queueUrl).catch(async (error: unknown) => {
        if (stopping.signal.aborted) return;
        verbs.onError(error);
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
      for (const queueUrl of queueUrls) void poll(queueUrl);
      return promise.finally(() => ended.removeEventListener('abort', giveUp));
    },

    stop: () => stopping.abort(),
  };
}
