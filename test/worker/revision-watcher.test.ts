/** How the agent learns that its revision is stale, without a read of its own. */

import { describe, expect, it } from '@jest/globals';
import type { Endpoint } from '../../core/endpoints/endpoint.ts';
import type { Endpoints } from '../../core/endpoints/store.ts';
import { watchRevision } from '../../worker/agent/revision-watcher.ts';

function reading(revision: number | undefined, own: number | undefined) {
  let reads = 0;
  const release = revision === undefined ? undefined : { revision: `arn:family:${revision}`, blueprint: 'b' };
  const endpoints = {
    read: async () => {
      reads += 1;
      return { release } as Endpoint;
    },
    readNow: async () => ({ release }) as Endpoint,
  } as Partial<Endpoints> as Endpoints;
  return { ...watchRevision({ endpoints }, own), reads: () => reads };
}

describe('the revision watcher', () => {
  it.each([
    ['takes a worker of the wanted revision as current', 3, 3, false],
    ['takes a worker of an older revision as stale', 4, 3, true],
    ['takes a worker of a revision that was rolled back as stale', 2, 3, true],
    ['takes a worker without a revision as current', 4, undefined, false],
    ['takes a worker of an endpoint without a release as current', undefined, 3, false],
  ])('%s', async (_, released, own, expected) => {
    const { ports, isStale, reads } = reading(released, own);
    expect(isStale()).toBe(false);
    await ports.endpoints.read('echo');
    expect(isStale()).toBe(expected);
    expect(reads()).toBe(1);
    expect(await ports.endpoints.readNow('echo')).toBeDefined();
  });
});
