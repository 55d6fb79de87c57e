/** Tests what happens to the instances of a pool whose last endpoint was removed or moved to another pool. */
import { describe, expect, it } from '@jest/globals';
import { ABANDONED_AFTER } from '../../core/fleet/end-abandoned.ts';
import { MINUTE, SECOND } from '../../core/limits.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { GPU, type Stage, startPool } from './pool-stage.ts';

const emulated = useEmulatedDeployment();

/** Starts a pool with one worker of `chat` on an instance, and managed scaling, which keeps instances for 15 minutes. */
async function withWorker(act: (stage: Stage) => Promise<void>): Promise<void> {
  const stage = await startPool(emulated, { workers: { chat: GPU }, bootTime: () => 30 * SECOND });
  try {
    await stage.demand('chat', 1);
    await stage.pass(60);
    expect(stage.pool.waiting).toEqual([]);
    await act(stage);
  } finally {
    await stage.stop();
  }
}

describe('a pool whose last endpoint was removed', () => {
  it('ends its instances some minutes after their last worker has stopped', async () => {
    await withWorker(async ({ pool, nameOf, pass }) => {
      // CloudFormation removes the registration before it stops the workers.
      await emulated.ports.endpoints.remove(nameOf('chat'));
      await pass((2 * ABANDONED_AFTER) / SECOND);
      expect(pool.living).toHaveLength(1);
      pool.demand(nameOf('chat'), 0, GPU);
      await pass((ABANDONED_AFTER - MINUTE) / SECOND);
      expect(pool.living).toHaveLength(1);
      await pass((3 * MINUTE) / SECOND);
      expect(pool.living).toEqual([]);
      expect(pool.violations).toEqual([]);
    });
  });

  it('keeps an instance until the first worker of an endpoint that registers after its workers', async () => {
    await withWorker(async ({ pool, nameOf, pass }) => {
      await emulated.ports.endpoints.remove(nameOf('chat'));
      pool.demand(nameOf('chat'), 0, GPU);
      await pass((ABANDONED_AFTER - MINUTE) / SECOND);
      pool.demand('moved', 1, GPU);
      await pass((20 * MINUTE) / SECOND);
      expect(pool.living).toHaveLength(1);
      expect(pool.waiting).toEqual([]);
    });
  });
});

describe('a pool whose last endpoint was moved to another pool', () => {
  it('ends its instances, and keeps those of the other pool', async () => {
    await withWorker(async ({ pool, nameOf, move, pass, call }) => {
      await move('chat', 'other');
      pool.demand(nameOf('chat'), 0, GPU);
      await pass((ABANDONED_AFTER + 3 * MINUTE) / SECOND);
      expect(pool.living).toEqual([]);
      expect((await call()).failed).toEqual({});
    });
  });
});

describe('a pool with warm instances', () => {
  it('leaves its instances to ECS, as its endpoints name only the group', async () => {
    await withWorker(async ({ pool, nameOf, registerWarm, pass }) => {
      await registerWarm('chat');
      pool.demand(nameOf('chat'), 0, GPU);
      await pass((10 * MINUTE) / SECOND);
      expect(pool.living).toHaveLength(1);
    });
  });
});
