import { describe, expect, it } from '@jest/globals';
import { capacityOf } from '../../../lib/capacity/kinds.ts';
import { placementOf } from '../../../lib/capacity/placement.ts';
import { declare, declarePool, stackOf, synthesizeWith } from '../synthesis.ts';

describe('the placement of workers', () => {
  it('has the size of a worker, and the least that any instance type of the pool has', () => {
    const pool = declarePool('mixed', {
      instanceTypes: ['g6.xlarge', 'g5.12xlarge'],
      maxInstances: 7,
      emptyFor: 60_000,
    });
    const placement = placementOf(capacityOf({ gpus: 1 }, pool), pool, 'provider');
    expect(JSON.parse(placement ?? '')).toEqual({
      provider: 'provider',
      worker: { gpus: 1, cpu: 4096, memory: 14_745 },
      instance: { gpus: 1, cpu: 4096, memory: 14_745, tasks: 3 },
      maxInstances: 7,
      emptyFor: 60_000,
    });
  });

  it('gives each worker with AMD GPUs its own instance', () => {
    const image = 'ami-0123456789abcdef0';
    const pool = declarePool('amd', { kind: 'amd', instanceTypes: ['g4ad.16xlarge'], image });
    const placement = JSON.parse(placementOf(capacityOf({}, pool), pool, 'provider') ?? '');
    expect(placement.worker).toMatchObject({ gpus: 0, cpu: 65_536 });
    expect(placement.instance).toMatchObject({ gpus: 0, cpu: 65_536, tasks: 1 });
  });

  it('is absent on a pool with warm instances, whose group starts them', () => {
    const pool = declarePool('warm', { warmInstances: 1 });
    expect(placementOf(capacityOf({}, pool), pool, 'provider')).toBeUndefined();
  });

  it('is registered with endpoints on pools only', () => {
    const pools = [declarePool('gpus'), declarePool('warm', { warmInstances: 1 })];
    const capacities = ['gpus', 'warm', 'cpu'];
    const stacks = synthesizeWith(
      {},
      capacities.map((capacity) => declare(`on-${capacity}`, { capacity })),
      pools,
    );
    const registered = capacities.map((capacity) => {
      const { template } = stackOf(stacks, `Endpoint-on-${capacity}`);
      const [registration] = Object.values(template.findResources('Custom::Endpoint'));
      return registration?.Properties.placement !== undefined;
    });
    expect(registered).toEqual([true, false, false]);
  });
});
