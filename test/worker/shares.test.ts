/** Tests how the time of a worker is divided among its jobs. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createShares } from '../../worker/agent/shares.ts';
import { PROPERTY_SEED, seedOf } from '../runner/seed.ts';
import { forever } from './agents.ts';
import { agents, emulated, ports, useEmulatedAgents } from './emulated-agents.ts';

useEmulatedAgents();

/** Jobs of a worker, each with the time of its begin and its length. */
const jobs = fc.array(fc.record({ begin: fc.nat(1_000), length: fc.nat(500) }), { minLength: 1, maxLength: 20 });

describe('the shares of jobs', () => {
  it('add up to the time in which the worker has a job, each at most the time of its job', () => {
    const property = fc.property(jobs, (given) => {
      let now = 0;
      const shares = createShares(() => now);
      const steps = given
        .flatMap(({ begin, length }, n) => [
          { id: `j${n}`, at: begin, isEnd: false },
          { id: `j${n}`, at: begin + length, isEnd: true },
        ])
        .sort((one, other) => one.at - other.at);
      const ended = new Map<string, number>();
      let busy = 0;
      let running = 0;
      for (const { id, at, isEnd } of steps) {
        if (running > 0) busy += at - now;
        running += isEnd ? -1 : 1;
        now = at;
        if (isEnd) ended.set(id, shares.of(id) ?? 0);
        if (isEnd) shares.end(id);
        else shares.begin(id);
      }
      const sum = [...ended.values()].reduce((total, share) => total + share, 0);
      expect(sum).toBeCloseTo(busy, 6);
      for (const [n, { length }] of given.entries()) expect(ended.get(`j${n}`)).toBeLessThanOrEqual(length + 1e-6);
    });
    fc.assert(property, { seed: seedOf(PROPERTY_SEED), numRuns: 300 });
  });

  it('are undefined before a job begins and after it has ended', () => {
    const shares = createShares(() => 0);
    expect(shares.of('a')).toBeUndefined();
    shares.begin('a');
    expect(shares.of('a')).toBe(0);
    shares.end('a');
    expect(shares.of('a')).toBeUndefined();
  });
});

describe('a worker with several jobs', () => {
  it('reports the share of each job at its end, also of a job that fails', async () => {
    await emulated.deploy('sh-a');
    await agents.submit('sh-a');
    await agents.submit('sh-a');
    const agent = await agents.start('sh-a', 'w1', { concurrency: 2 });
    const first = await agent.next(forever);
    emulated.clock.advance(1_000);
    const second = await agent.next(forever);
    emulated.clock.advance(600);
    await agent.report(String(first?.id), { output: '1' });
    emulated.clock.advance(500);
    await agent.report(String(second?.id), { error: 'no' });
    const read = (id = '') => ports.jobs.read({ endpoint: 'sh-a', id });
    expect(await read(first?.id)).toMatchObject({ status: 'COMPLETED', workerTime: 1_300 });
    expect(await read(second?.id)).toMatchObject({ status: 'FAILED', workerTime: 800 });
  });
});
