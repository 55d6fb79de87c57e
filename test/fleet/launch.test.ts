/**
 * Tests instances that cannot be started: which endpoints they affect, and the status of their jobs. The endpoints of
 * the first part have no sizes, like those on a pool with warm instances.
 */
import { describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { launchCauseFrom, type WorkerEvent } from '../../core/fleet/event.ts';
import { launch } from '../../core/fleet/launch.ts';
import { observe } from '../../core/fleet/observe.ts';
import { record } from '../../core/ledger/record.ts';
import { ENDPOINT_CACHE, LEASE, SECOND } from '../../core/limits.ts';
import { status } from '../../core/status/status.ts';
import { submitJob } from '../jobs/scripted-job.ts';
import { noReleases, untouched } from '../releases/no-releases.ts';
import { recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { taskEvent } from './events.ts';
import { messages } from './messages.ts';
import { GPU, type Stage, startPool } from './pool-stage.ts';

const emulated = useEmulatedDeployment();
const ports = portsWith(emulated.ports, { ...noReleases(), services: recordServices() });

/** An endpoint without sizes needs no groups. */
const launched = (event: ReturnType<typeof launchFails>) =>
  launch(
    { ...ports, groups: untouched(), poolStates: untouched(), cluster: 'fleet', subnets: [], newToken: String },
    event,
  );

const now = () => emulated.clock.now();

const QUOTA =
  'Could not launch On-Demand Instances. VcpuLimitExceeded - You have requested more vCPU capacity than your current vCPU limit of 0 allows. Launching EC2 instance failed.';
const NO_CAPACITY =
  'We currently do not have sufficient g6.xlarge capacity in the Availability Zone you requested (us-east-1c). Launching EC2 instance failed.';

/** The event as EventBridge delivers it. */
function launchFails(group: string, StatusMessage: string) {
  emulated.clock.advance(1_000);
  return launchCauseFrom({
    source: 'aws.autoscaling',
    'detail-type': 'EC2 Instance Launch Unsuccessful',
    time: new Date(now()).toISOString(),
    resources: [`arn:aws:autoscaling:us-east-1:111122223333:autoScalingGroup:1:autoScalingGroupName/${group}`],
    detail: { StatusCode: 'Failed', AutoScalingGroupName: group, StatusMessage },
  });
}

/**
 * Deploys an endpoint on the group, with a waiting job that requests a worker.
 * @returns a function that reads its status
 */
async function waiting(endpoint: string, instanceGroup?: string) {
  await emulated.deploy(endpoint, { maxWorkers: 1, ...(instanceGroup && { instanceGroup }) });
  emulated.clock.advance(1);
  const id = await submitJob(ports, endpoint);
  await record(ports, await emulated.changes());
  return async (): Promise<Record<string, unknown>> => {
    emulated.clock.advance(ENDPOINT_CACHE);
    return JSON.parse(String(await status(ports, { endpoint, id })));
  };
}

describe('an instance that cannot be started', () => {
  it.each([
    ['la-quota', 'QUOTA', QUOTA, 'A quota of the AWS account does not allow more workers'],
    ['la-none', 'NO_CAPACITY', NO_CAPACITY, 'The provider has no capacity for a worker'],
  ])(
    'gives the waiting jobs of %s the reason %s, with the message of the provider',
    async (endpoint, waitReason, detail, message) => {
      const statusOf = await waiting(endpoint, endpoint);
      expect(await statusOf()).toMatchObject({ waitReason: 'SCALING_UP' });
      expect(await launched(launchFails(endpoint, detail))).toMatchObject({ refused: [endpoint] });
      const waitDetail = expect.stringContaining(`${message}: ${detail} Since ${new Date(now()).toISOString()}`);
      expect(await statusOf()).toMatchObject({ status: 'IN_QUEUE', waitReason, waitDetail });
    },
  );

  it('affects all endpoints that wait for its group, but no endpoint of another group or on Fargate', async () => {
    const one = await waiting('la-one', 'shared');
    const other = await waiting('la-other', 'shared');
    const elsewhere = await waiting('la-elsewhere', 'shared-2');
    const fargate = await waiting('la-fargate');
    const { refused } = await launched(launchFails('shared', QUOTA));
    expect(refused).toEqual(['la-one', 'la-other']);
    for (const statusOf of [one, other]) expect(await statusOf()).toMatchObject({ waitReason: 'QUOTA' });
    for (const statusOf of [elsewhere, fargate]) {
      expect(await statusOf()).toMatchObject({ waitReason: 'SCALING_UP' });
      expect(await statusOf()).not.toHaveProperty('waitDetail');
    }
  });

  it('does not affect an endpoint that requests no worker, or whose requested workers are placed', async () => {
    await emulated.deploy('la-idle', { instanceGroup: 'full' });
    await waiting('la-working', 'full');
    const lease = { endpoint: 'la-working', worker: 't1', jobs: [], readySince: now() };
    await ports.workers.beat({ ...lease, endsAt: now() + LEASE, removeAfter: 1 });
    await waiting('la-placed', 'full');
    const pending = { lastStatus: 'PENDING', desiredStatus: 'RUNNING', stopCode: undefined };
    await observe(ports, taskEvent({ service: 'la-placed', at: now(), ...pending }));
    expect(await launched(launchFails('full', QUOTA))).toMatchObject({ refused: [] });
    for (const id of ['la-idle', 'la-working'])
      expect((await ports.endpoints.readNow(id))?.fleet).not.toHaveProperty('condition');
  });

  it('replaces the less precise reason from ECS until a worker is placed', async () => {
    const statusOf = await waiting('la-both', 'both');
    const lacks = (): WorkerEvent => {
      emulated.clock.advance(1_000);
      const name = 'SERVICE_TASK_PLACEMENT_FAILURE';
      return { of: 'service', service: 'la-both', name, reason: 'RESOURCE:GPU', at: now() };
    };
    await observe(ports, lacks());
    expect(await statusOf()).toMatchObject({ waitReason: 'NO_CAPACITY' });
    await launched(launchFails('both', QUOTA));
    await observe(ports, lacks());
    expect(await statusOf()).toMatchObject({ waitReason: 'QUOTA' });
    // After the quota is raised, no instance is available.
    await launched(launchFails('both', NO_CAPACITY));
    expect(await statusOf()).toMatchObject({ waitReason: 'NO_CAPACITY' });
    const pending = { lastStatus: 'PENDING', desiredStatus: 'RUNNING', stopCode: undefined };
    await observe(ports, taskEvent({ service: 'la-both', at: now(), ...pending }));
    expect(await statusOf()).toMatchObject({ waitReason: 'SCALING_UP' });
  });
});

/** Starts a pool with the endpoint `chat`, which needs as many instances as workers. */
async function onPool(act: (stage: Stage) => Promise<void>): Promise<void> {
  const stage = await startPool(emulated, { workers: { chat: GPU, other: GPU }, managed: false });
  try {
    await act(stage);
  } finally {
    await stage.stop();
  }
}

describe('a launch that EC2 refuses', () => {
  const codes = [
    ['NO_CAPACITY', 'InsufficientInstanceCapacity', 'We currently do not have sufficient capacity.'],
    ['NO_CAPACITY', 'UnfulfillableCapacity', 'Unable to fulfill capacity due to your request configuration.'],
    ['NO_CAPACITY', 'InsufficientFreeAddressesInSubnet', 'The subnet does not have enough free addresses.'],
    ['QUOTA', 'VcpuLimitExceeded', 'You have requested more vCPU capacity than your current vCPU limit of 0 allows.'],
    ['QUOTA', 'InstanceLimitExceeded', 'You have requested more instances (1) than your current limit of 0.'],
    ['QUOTA', 'MaxSpotInstanceCountExceeded', 'Max spot instance count exceeded.'],
    ['QUOTA', 'VolumeLimitExceeded', 'You have reached your limit on volumes.'],
    ['QUOTA', 'MaxIOPSLimitExceeded', 'You have reached your limit on operations per second.'],
    ['CANNOT_START', 'InvalidAMIID.NotFound', 'The image id does not exist.'],
    ['CANNOT_START', 'UnauthorizedOperation', 'You are not authorized to perform this operation.'],
    ['CANNOT_START', 'Unsupported', 'The requested configuration is currently not supported.'],
  ] as const;

  it.each(codes)('is the reason %s at once if its code is %s', async (is, code, message) => {
    await onPool(async ({ pool, demand, deliver, fleetOf }) => {
      for (const subnet of ['subnet-a', 'subnet-b']) pool.refusals.set(subnet, { code, message });
      await demand('chat', 1);
      await deliver();
      expect(await fleetOf('chat')).toMatchObject({ condition: { is, words: `${code}: ${message}` }, failed: [] });
      expect(await fleetOf('other')).not.toHaveProperty('condition');
      // A quota applies in all subnets.
      expect(pool.launchCalls).toBe(is === 'QUOTA' ? 1 : 2);
    });
  });

  it.each(messages.filter(({ of }) => of === 'launch'))('is %j also in the words of Auto Scaling', async (row) => {
    await onPool(async ({ pool, demand, deliver, call, fleetOf, group }) => {
      await demand('chat', 1);
      for (const subnet of ['subnet-a', 'subnet-b']) pool.refusals.set(subnet, { code: 'Unknown', message: '' });
      await deliver();
      emulated.clock.advance(SECOND);
      await call({ of: 'launch', group, at: now(), reason: row.text });
      expect(await fleetOf('chat')).toMatchObject({ condition: { is: row.means } });
    });
  });

  it('is not repeated immediately, and is no reason if another subnet has capacity', async () => {
    await onPool(async ({ pool, demand, deliver, call, pass, fleetOf }) => {
      const refusal = { code: 'InsufficientInstanceCapacity', message: 'none' };
      for (const subnet of ['subnet-a', 'subnet-b']) pool.refusals.set(subnet, refusal);
      await demand('chat', 1);
      await deliver();
      await call();
      expect(pool.launchCalls).toBe(2);
      pool.refusals.delete('subnet-b');
      await pass(130);
      expect(pool.machines).toHaveLength(1);
      expect(await fleetOf('chat')).not.toHaveProperty('condition');
      await demand('chat', 2);
      await deliver();
      expect(pool.machines).toHaveLength(2);
      expect(await fleetOf('chat')).not.toHaveProperty('condition');
    });
  });
});

describe('a launch of fewer instances than workers need', () => {
  it('leaves the instances that the group should already have to the group', async () => {
    await onPool(async ({ pool, demand, call }) => {
      pool.desired = 2;
      await demand('chat', 3);
      const { launched } = await call(pool.events[0]);
      expect(launched).toHaveLength(1);
    });
  });

  it('gives the reason only to endpoints whose workers have no place on a launched instance', async () => {
    const smaller = { ...GPU, memory: 3_000 };
    const stage = await startPool(emulated, {
      workers: { chat: GPU, other: smaller },
      managed: false,
      maxInstances: 1,
    });
    const { pool, demand, deliver, fleetOf } = stage;
    pool.refusals.set('subnet-a', { code: 'InsufficientInstanceCapacity', message: 'none' });
    await demand('other', 1);
    await demand('chat', 1);
    await deliver();
    expect(pool.machines).toHaveLength(1);
    // Larger workers get a place first.
    expect(await fleetOf('chat')).not.toHaveProperty('condition');
    expect(await fleetOf('other')).toMatchObject({ condition: { is: 'NO_CAPACITY' } });
    await stage.stop();
  });
});

describe('a failed launch beside a successful one', () => {
  const orders = [
    ['launch', 'launched'],
    ['launched', 'launch'],
    ['launch', 'launch', 'launched', 'launched'],
    ['launched', 'launch', 'launched', 'launch'],
    ['launch', 'launched', 'launch'],
  ] as const;

  it.each(orders.map((order) => [order.join(', '), order] as const))(
    'is no reason if the launched instance has room for all workers: %s',
    async (_, order) => {
      await onPool(async ({ pool, demand, call, fleetOf, group }) => {
        await demand('chat', 1);
        const [waits] = pool.events.splice(0);
        const failed = { of: 'launch', group, at: now(), reason: QUOTA } as const;
        // The group launches one of two instances. Its events can arrive before the task's.
        pool.refusals.set('subnet-a', { code: 'VcpuLimitExceeded', message: '' });
        for (const of of order) {
          if (pool.machines.length === 0 && of === 'launched') pool.startInstance();
          emulated.clock.advance(SECOND);
          const instance = { id: 'i-1', launchedAt: failed.at };
          await call(of === 'launch' ? failed : { of, group, at: failed.at, instance });
          if (pool.machines.length > 0) expect(await fleetOf('chat')).not.toHaveProperty('condition');
        }
        await call(waits);
        expect(await fleetOf('chat')).not.toHaveProperty('condition');
        expect(pool.machines).toHaveLength(1);
      });
    },
  );

  it('is the reason of the workers for which the launched instance has no room', async () => {
    await onPool(async ({ pool, demand, call, fleetOf, group }) => {
      for (const subnet of ['subnet-a', 'subnet-b'])
        pool.refusals.set(subnet, { code: 'VcpuLimitExceeded', message: '' });
      pool.startInstance();
      await demand('chat', 2);
      await call({ of: 'launch', group, at: now(), reason: QUOTA });
      expect(await fleetOf('chat')).toMatchObject({ condition: { is: 'QUOTA' } });
    });
  });
});

describe('a call that launches instances, and cannot end others', () => {
  it('reports both, so that the log names the launched instances', async () => {
    const stage = await startPool(emulated, { workers: { a: GPU } });
    await stage.demand('a', 1);
    await stage.pass(180);
    expect(stage.pool.machines).toHaveLength(1);
    await stage.demand('a', 0);
    await stage.call();
    emulated.clock.advance(181 * SECOND);
    // ECS drains the empty instance, but the call ends before it has seen that.
    const { describe: seen } = stage.pool.port;
    stage.pool.port.describe = () => Promise.reject(new Error('describe was throttled'));
    expect((await stage.call()).failed).toHaveProperty(stage.group);
    Object.assign(stage.pool.port, {
      describe: seen,
      drain: () => Promise.reject(new Error('drain was throttled')),
    });
    await stage.demand('a', 1);
    expect(await stage.call()).toMatchObject({
      launched: [expect.any(String)],
      ended: [],
      failed: { [stage.group]: new Error('drain was throttled') },
    });
  });
});
