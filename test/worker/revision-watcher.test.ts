/** Tests that the agent detects a stale revision from the endpoint that it reads for each message. */
import { describe, expect, it } from '@jest/globals';
import { systemClock } from '../../core/clock.ts';
import type { Endpoint } from '../../core/endpoints/endpoint.ts';
import { createMessageSource } from '../../worker/agent/messages.ts';
import type { AgentPorts } from '../../worker/agent/ports.ts';
import { createRevisionWatcher } from '../../worker/agent/revision-watcher.ts';
import { forever, log } from './agents.ts';

const releaseOf = (revision: number | undefined): Endpoint['release'] =>
  revision === undefined ? undefined : ({ revision: `arn:family:${revision}`, blueprint: 'b' } as Endpoint['release']);

describe('the revision watcher', () => {
  it.each([
    ['reports a worker of the wanted revision as current', 3, 3, false],
    ['reports a worker of an older revision as stale', 4, 3, true],
    ['reports a worker of a revision that was rolled back as stale', 2, 3, true],
    ['reports a worker without a revision as current', 4, undefined, false],
    ['reports a worker of an endpoint without a release as current', undefined, 3, false],
  ])('%s', (_, released, own, expected) => {
    const watcher = createRevisionWatcher(systemClock, own);
    expect(watcher.isStale()).toBe(false);
    watcher.see({ release: releaseOf(released) });
    expect(watcher.isStale()).toBe(expected);
  });

  it('sees the endpoint of each message, without another read', async () => {
    const message = { endpoint: 'echo', job: 'j', attempt: 1, generation: 0, queueUrl: 'q', receipt: 'r', sentAt: 0 };
    const endpoint = { release: releaseOf(4), generation: 0 } as Endpoint;
    const ports = {
      clock: systemClock,
      endpoints: { read: async () => endpoint },
      jobQueues: { receive: async () => [message] },
    } as unknown as AgentPorts;
    const watcher = createRevisionWatcher(systemClock, 3);
    const config = { endpoint: 'echo', normalQueueUrls: ['q'], lowQueueUrls: [] };
    const succession = { precedence: async () => 'EQUAL' as const, takes: () => true };
    const messages = createMessageSource({ ports, config, watcher, succession, log, pause: async () => undefined });
    expect(await messages.next(forever)).toBe(message);
    messages.stop();
    expect(watcher.isStale()).toBe(true);
  });
});
