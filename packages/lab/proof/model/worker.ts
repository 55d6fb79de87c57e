/** A scripted worker: the real agent, which acts only when the sequence requires it. */

import { type Ports, portsWith } from '../../../../aws/ports.ts';
import type { EndpointConfig } from '../../../../core/endpoints/endpoint.ts';
import type { JobQueues } from '../../../../core/jobs/queues.ts';
import { type Agent, createAgent } from '../../../../worker/agent/agent.ts';
import type { Offer } from '../../../../worker/agent/job-loop.ts';

export interface ScriptedWorker {
  readonly name: string;
  readonly agent: Agent;
  /** Picks a job that the worker holds. No other operation gets the job until `putBack`. */
  pick(): Offer | undefined;
  putBack(offer: Offer): void;
  /** Forgets a job that the container has released. */
  forget(id: string): void;
  /** Takes the next job. Returns undefined if no queue has a job. */
  take(): Promise<Offer | undefined>;
}

const IDLE_TIMEOUT = 60_000;

/**
 * Replaces long polls with polls that last until the worker polls the queues again, because no message arrives
 * meanwhile.
 */
function pollsOnDemand(jobQueues: JobQueues, queues: number, onEmpty: () => void) {
  const waiting = new Set<() => void>();
  /** Looks for messages until some are found, again after each call of `lookAgain`. */
  async function poll<Found>(look: () => Promise<Found | undefined>, signal?: AbortSignal): Promise<Found | undefined> {
    while (!signal?.aborted) {
      const found = await look();
      if (found) return found;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.add(resolve);
      signal?.addEventListener('abort', () => resolve(), { once: true });
      if (waiting.size === queues) onEmpty();
      await promise;
      waiting.delete(resolve);
    }
    return undefined;
  }

  const receive: JobQueues['receive'] = async (queueUrl, max, wait, hidden, signal) => {
    const look = async () => {
      const messages = await jobQueues.receive(queueUrl, max, 0, hidden);
      return messages.length > 0 ? messages : undefined;
    };
    return (await (wait > 0 ? poll(look, signal) : look())) ?? [];
  };

  return {
    ports: { receive },
    lookAgain() {
      for (const look of waiting) look();
    },
  };
}

export function createWorker(
  ports: Ports,
  { id: endpoint, normalQueueUrls, lowQueueUrls }: EndpointConfig,
  name: string,
): ScriptedWorker {
  let ended = new AbortController();
  const polls = pollsOnDemand(ports.jobQueues, normalQueueUrls.length + lowQueueUrls.length, () => ended.abort());
  const jobQueues: JobQueues = Object.assign(Object.create(ports.jobQueues) as JobQueues, polls.ports);
  const log = { info: () => undefined, error: () => undefined };
  const protection = { protect: async () => undefined, keep: async () => undefined, since: () => undefined };
  const config = { endpoint, worker: name, normalQueueUrls, lowQueueUrls, idleTimeout: IDLE_TIMEOUT };
  const agent = createAgent(portsWith(ports, { jobQueues }), config, { log, protection, pause: async () => undefined });
  const offers = new Map<string, Offer>();
  const picked = new Set<string>();
  return {
    name,
    agent,
    pick() {
      const offer = [...offers.values()].find(({ id }) => !picked.has(id));
      if (offer) picked.add(offer.id);
      return offer;
    },
    putBack: ({ id }) => void picked.delete(id),
    forget: (id) => void offers.delete(id),
    async take() {
      ended = new AbortController();
      polls.lookAgain();
      const offer = await agent.next(ended.signal);
      if (offer) offers.set(offer.id, offer);
      return offer;
    },
  };
}
