/** What the agent overhears of its endpoint's release: it reads nothing for it. */
import { describe, expect, it } from '@jest/globals';
import type { Endpoint } from '../../core/endpoints/endpoint.ts';
import type { World } from '../../core/world.ts';
import { overhear } from '../../worker/outdated.ts';

function reading(revision: number | undefined, own: number | undefined) {
  let reads = 0;
  const release = revision === undefined ? undefined : { revision: `arn:family:${revision}`, blueprint: 'b' };
  const endpoints = {
    read: async () => {
      reads += 1;
      return { release } as Endpoint;
    },
    readNow: async () => ({ release }) as Endpoint,
  } as Partial<World['endpoints']> as World['endpoints'];
  return { ...overhear({ endpoints }, own), reads: () => reads };
}

describe('a worker', () => {
  it.each([
    ['of the revision that is to run', 3, 3, false],
    ['of another one', 4, 3, true],
    ['of one that was rolled back', 2, 3, true],
    ['that does not know its own', 4, undefined, false],
    ['of an endpoint without a release', undefined, 3, false],
  ])('%s', async (_, released, own, expected) => {
    const { world, isOutdated, reads } = reading(released, own);
    expect(isOutdated()).toBe(false);
    await world.endpoints.read('echo');
    expect(isOutdated()).toBe(expected);
    expect(reads()).toBe(1);
    expect(await world.endpoints.readNow('echo')).toBeDefined();
  });
});
