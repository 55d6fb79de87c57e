import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EndpointNotFound } from '../../core/errors.ts';
import { finish } from '../../core/jobs/finish.ts';
import { health } from '../../core/jobs/health.ts';
import { run } from '../../core/jobs/run.ts';
import { take } from '../../core/jobs/take.ts';
import { LEASE } from '../../core/limits.ts';
import { type EmulatedWorld, startEmulatedWorld } from '../emulated-world.ts';

let emulated: EmulatedWorld;

beforeAll(async () => {
  emulated = await startEmulatedWorld();
});
afterAll(() => emulated.stop());

describe('health', () => {
  it('counts jobs by what they are by now, and workers by their leases', async () => {
    const { world, clock } = emulated;
    await emulated.deploy('he-a');
    const submit = (policy = {}) =>
      run(world, { endpoint: 'he-a', owner: 'ada', body: JSON.stringify({ input: {}, policy }) });
    const start = async (worker: string) => {
      const { id } = await submit();
      const taken = await take(world, { generation: 0 }, worker, {
        endpoint: 'he-a',
        job: id,
        attempt: 0,
        generation: 0,
      });
      if (taken.outcome !== 'taken') throw new Error('The job is not taken.');
      return taken.job;
    };

    await submit({ ttl: 10_000 });
    clock.advance(10_000);
    await submit();
    await submit();
    await finish(world, await start('w1'), { output: '1' });
    await finish(world, await start('w1'), { error: 'no' });
    const running = await start('w1');
    const lease = { endpoint: 'he-a', jobs: [], endsAt: clock.now() + LEASE, removeAfter: 1 };
    await world.workers.beat({ ...lease, worker: 'w1', jobs: [running.id] });
    await world.workers.beat({ ...lease, worker: 'w2' });
    await world.workers.beat({ ...lease, worker: 'lost', endsAt: clock.now() - 1 });

    expect(await health(world, 'he-a')).toEqual({
      jobs: { completed: 1, failed: 2, inProgress: 1, inQueue: 2, retried: 0 },
      workers: { idle: 1, running: 1 },
    });
  });

  it('of an endpoint that is not deployed is a 404', async () => {
    await expect(health(emulated.world, 'nowhere')).rejects.toThrow(EndpointNotFound);
  });
});
