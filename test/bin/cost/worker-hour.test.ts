/** Tests the price of an hour of a worker in `npx gpu-endpoints cost estimate`. */
import { describe, expect, it } from '@jest/globals';
import { render } from '../../../bin/cost/tables.ts';
import { bill, endpoint, fargate, gpuTask, onPool, pool } from './small-stacks.ts';

describe('an hour of a worker', () => {
  it('costs as much as its instance, even if another stack contains the pool', () => {
    const { workers, unpriced } = bill({ Fleet: pool('g5.xlarge'), 'Endpoint-llm': endpoint(0, gpuTask, onPool) });
    const hour = 1.006;
    // ECS launches two instances for a first task, and keeps each for a quarter of an hour.
    const worker = { endpoint: 'llm', runsOn: 'EC2 g5.xlarge', minWorkers: 0, maxWorkers: 5, hour, empty: hour / 2 };
    expect(workers).toEqual([worker]);
    expect(unpriced).toEqual([]);
  });

  it('is followed by the minutes of the empty instance, if the service ends the instance', () => {
    const llm = endpoint(0, gpuTask, onPool);
    const registered = Object.values(llm.Resources ?? {}).find(({ Type }) => Type === 'Custom::Endpoint');
    const placement = { 'Fn::Join': ['', ['{"provider":"', { Ref: 'Provider' }, '","emptyFor":180000}']] };
    Object.assign(registered?.Properties ?? {}, { placement });
    const { workers } = bill({ Fleet: pool('g5.xlarge'), 'Endpoint-llm': llm });
    expect(workers[0]?.empty).toBeCloseTo((1.006 * 5) / 60, 9);
  });

  it('has the price of its disk: its size, and what exceeds the included throughput and operations', () => {
    const Ebs = { VolumeType: 'gp3', VolumeSize: 130, Throughput: 1_000, Iops: 4_000 };
    const onDisk = (ebs: object, MinSize = '0') => {
      const fleet = pool('g5.xlarge', MinSize);
      Object.assign(fleet.Resources?.Instances?.Properties?.LaunchTemplateData ?? {}, {
        BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: ebs }],
      });
      return fleet;
    };
    const ofWorker = (ebs: object) =>
      bill({ Fleet: onDisk(ebs), 'Endpoint-llm': endpoint(0, gpuTask, onPool) }).workers[0];
    const disk = (130 * 0.08 + 875 * 0.04 + 1_000 * 0.005) / 730;
    expect(ofWorker(Ebs)?.disk).toBeCloseTo(disk, 9);
    expect(ofWorker(Ebs)?.empty).toBeCloseTo((1.006 + disk) / 2, 9);
    expect(ofWorker({ ...Ebs, Throughput: 125, Iops: 3_000 })?.disk).toBeCloseTo((130 * 0.08) / 730, 9);
    expect(ofWorker({ VolumeType: 'gp3', VolumeSize: 30 })?.disk).toBeCloseTo((30 * 0.08) / 730, 9);
    expect(ofWorker({ ...Ebs, VolumeType: 'io2' })).not.toHaveProperty('disk');
    const always = bill({ Fleet: onDisk(Ebs, '2') });
    expect(always.standingTotal).toBeCloseTo(2 * 730 * (1.006 + disk), 6);
  });

  it('is not priced if its price is unknown, and makes the sums incomplete only if such a worker always runs', () => {
    const withMin = (min: number) => bill({ Fleet: pool('p9.large'), 'Endpoint-llm': endpoint(min, gpuTask, onPool) });
    expect(withMin(0).unpriced).toEqual([]);
    expect(render(withMin(0))).toContain('not priced');
    expect(withMin(1).unpriced).toEqual([expect.stringContaining('1 tasks on EC2 p9.large')]);
    expect(bill({ Fleet: pool('p9.large', '1') }).unpriced).toEqual([
      expect.stringContaining('https://calculator.aws'),
    ]);
    expect(bill({ 'Endpoint-llm': endpoint(1, fargate({ CpuArchitecture: 'S390X' })) }).unpriced).toHaveLength(1);
  });
});
