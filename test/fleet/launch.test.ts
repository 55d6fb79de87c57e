/** Tests instances that Auto Scaling cannot start: which endpoints they affect, and the status of their jobs. */
import { describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { type FleetEvent, fleetEventFrom } from '../../core/fleet/event.ts';
import { observe } from '../../core/fleet/observe.ts';
import { record } from '../../core/ledger/record.ts';
import { ENDPOINT_CACHE, LEASE } from '../../core/limits.ts';
import { status } from '../../core/status/status.ts';
import { submitJob } from '../jobs/scripted-job.ts';
import { recordServices } from '../recorded-services.ts';
import { noReleases } from '../releases/no-releases.ts';
import { useEmulatedDeployment } from '../use-emulated-deployment.ts';
import { taskEvent } from './events.ts';

const emulated = useEmulatedDeployment();
const ports = portsWith(emulated.ports, { ...noReleases(), services: recordServices() });

const now = () => emulated.clock.now();

const QUOTA =
  'Could not launch On-Demand Instances. VcpuLimitExceeded - You have requested more vCPU capacity than your current vCPU limit of 0 allows. Launching EC2 instance failed.';
const NO_CAPACITY =
  'We currently do not have sufficient g6.xlarge capacity in the Availability Zone you requested (us-east-1c). Launching EC2 instance failed.';

/** The event as EventBridge delivers it. */
function launchFails(group: string, StatusMessage: string) {
  emulated.clock.advance(1_000);
  return fleetEventFrom({
    source: 'aws.autoscaling',
    'detail-type': 'EC2 Instance Launch Unsuccessful',
    time: new Date(now()).toISOString(),
    resources: [`arn:aws:autoscaling:us-east-1:111122223333:autoScalingGroup:1:autoScalingGroupName/${group}`],
    detail: { StatusCode: 'Failed', AutoScalingGroupName: group, StatusMessage },
  });
}

/**
 * Deploys an endpoint on the group, with a waiting job that requests a worker. @returns a function that reads its
 * status
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
    async (endpoint, waitReason, words, says) => {
      const statusOf = await waiting(endpoint, endpoint);
      expect(await statusOf()).toMatchObject({ waitReason: 'SCALING_UP' });
      expect(await observe(ports, launchFails(endpoint, words))).toMatchObject({ endpoints: [endpoint] });
      const waitDetail = expect.stringContaining(`${says}: ${words} Since ${new Date(now()).toISOString()}`);
      expect(await statusOf()).toMatchObject({ status: 'IN_QUEUE', waitReason, waitDetail });
    },
  );

  it('affects all endpoints that wait for its group, but no endpoint of another group or on Fargate', async () => {
    const one = await waiting('la-one', 'shared');
    const other = await waiting('la-other', 'shared');
    const elsewhere = await waiting('la-elsewhere', 'shared-2');
    const fargate = await waiting('la-fargate');
    const observed = await observe(ports, launchFails('shared', QUOTA));
    expect(observed.endpoints).toEqual(['la-one', 'la-other']);
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
    expect(await observe(ports, launchFails('full', QUOTA))).toEqual({ endpoints: [], requeued: 0 });
    for (const id of ['la-idle', 'la-working'])
      expect((await ports.endpoints.readNow(id))?.fleet).not.toHaveProperty('condition');
  });

  it('replaces the less precise reason from ECS until a worker is placed', async () => {
    const statusOf = await waiting('la-both', 'both');
    const lacks = (): FleetEvent => {
      emulated.clock.advance(1_000);
      const name = 'SERVICE_TASK_PLACEMENT_FAILURE';
      return { of: 'service', service: 'la-both', name, reason: 'RESOURCE:GPU', at: now() };
    };
    await observe(ports, lacks());
    expect(await statusOf()).toMatchObject({ waitReason: 'NO_CAPACITY' });
    await observe(ports, launchFails('both', QUOTA));
    await observe(ports, lacks());
    expect(await statusOf()).toMatchObject({ waitReason: 'QUOTA' });
    // After the quota is raised, no instance is available.
    await observe(ports, launchFails('both', NO_CAPACITY));
    expect(await statusOf()).toMatchObject({ waitReason: 'NO_CAPACITY' });
    const pending = { lastStatus: 'PENDING', desiredStatus: 'RUNNING', stopCode: undefined };
    await observe(ports, taskEvent({ service: 'la-both', at: now(), ...pending }));
    expect(await statusOf()).toMatchObject({ waitReason: 'SCALING_UP' });
  });
});
