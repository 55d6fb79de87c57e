/** Tests that a worker takes no job while the budget of its endpoint is spent, and finishes those that it has. */
import { expect, it } from '@jest/globals';
import { dayOf, resetAfter } from '../../core/endpoints/spending.ts';
import { ENDPOINT_CACHE, SECOND } from '../../core/limits.ts';
import { forever } from './agents.ts';
import { agents, emulated, ports, useEmulatedAgents } from './emulated-agents.ts';

useEmulatedAgents();

async function spend(endpoint: string, dollars: number): Promise<void> {
  await ports.endpoints.saveSpending(endpoint, { day: dayOf(emulated.clock.now()), at: emulated.clock.now(), dollars });
  emulated.clock.advance(ENDPOINT_CACHE);
}

it('leaves jobs in the queue while the budget is spent, finishes its own, and takes jobs again on the next day', async () => {
  await emulated.deploy('wb-spent', { maxDollarsPerDay: 1 });
  const pauses: number[] = [];
  let resume = () => {};
  let { promise: paused, resolve: pausing } = Promise.withResolvers<void>();
  const agent = await agents.start('wb-spent', 'w1', {
    async pause(length, signal) {
      pauses.push(length);
      pausing();
      const { promise, resolve } = Promise.withResolvers<void>();
      const before = resume;
      resume = () => {
        before();
        resolve();
      };
      signal.addEventListener('abort', () => resolve());
      await promise;
    },
  });
  const own = await agents.submit('wb-spent');
  expect((await agent.next(forever))?.id).toBe(own);

  await spend('wb-spent', 1);
  const waiting = await agents.submit('wb-spent');
  ({ promise: paused, resolve: pausing } = Promise.withResolvers<void>());
  const next = agent.next(forever);
  await paused;
  expect(await ports.jobs.read({ endpoint: 'wb-spent', id: waiting })).toMatchObject({ status: 'IN_QUEUE' });
  await agent.report(own, { output: '1' });
  expect(await ports.jobs.read({ endpoint: 'wb-spent', id: own })).toMatchObject({ status: 'COMPLETED' });

  ({ promise: paused, resolve: pausing } = Promise.withResolvers<void>());
  resume();
  await paused;
  expect(pauses).toContain(5 * SECOND);
  expect(await ports.jobs.read({ endpoint: 'wb-spent', id: waiting })).toMatchObject({ status: 'IN_QUEUE' });

  emulated.clock.advance(resetAfter(emulated.clock.now()) - emulated.clock.now());
  resume();
  expect((await next)?.id).toBe(waiting);
});
