/** Tests the handler for an event of each rule, with endpoints on Fargate only. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();

const time = '2026-01-02T03:04:06Z';
const task = {
  taskArn: 'arn:aws:ecs:us-west-2:111122223333:task/default/c13b',
  group: 'service:on-fargate',
  lastStatus: 'PROVISIONING',
  desiredStatus: 'RUNNING',
  updatedAt: time,
};

describe('the function that launches instances', () => {
  it.each([
    ['ECS Task State Change', task],
    ['EC2 Instance Launch Successful', { AutoScalingGroupName: 'gpus', EC2InstanceId: 'i-1' }],
    ['EC2 Instance Launch Unsuccessful', { AutoScalingGroupName: 'gpus', StatusMessage: 'VcpuLimitExceeded' }],
  ])('calls neither ECS nor Auto Scaling for the event %s without endpoints on pools', async (kind, detail) => {
    await emulated.deploy(`on-fargate-${kind.replaceAll(' ', '-').toLowerCase()}`, { service: 'on-fargate' });
    const { handler } = await import('../../lambda/fleet/launch.ts');
    const unreachable = 'http://127.0.0.1:1';
    Object.assign(process.env, { AWS_ENDPOINT_URL_ECS: unreachable, AWS_ENDPOINT_URL_AUTO_SCALING: unreachable });
    await expect(handler({ time, 'detail-type': kind, detail })).resolves.toBeUndefined();
  });

  it('only asks ECS for the instances of the cluster each minute, without endpoints on pools', async () => {
    await emulated.deploy('on-fargate-each-minute', { service: 'on-fargate' });
    const asked: (string | string[] | undefined)[] = [];
    const ecs = createServer((request, response) => {
      asked.push(request.headers['x-amz-target']);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"containerInstanceArns":[]}');
    });
    await new Promise<void>((resolve) => void ecs.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(ecs.address() as AddressInfo).port}`;
    const unreachable = 'http://127.0.0.1:1';
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_ECS: url,
      AWS_ENDPOINT_URL_AUTO_SCALING: unreachable,
      CLUSTER: 'fleet',
    });
    const { handler } = await import('../../lambda/fleet/launch.ts');
    await expect(handler({ time, 'detail-type': 'Scheduled Event', detail: {} })).resolves.toBeUndefined();
    expect(asked).toEqual([expect.stringMatching(/\.ListContainerInstances$/)]);
    ecs.close();
  });

  it('refuses an event of another kind', async () => {
    const { handler } = await import('../../lambda/fleet/launch.ts');
    const detail = { eventName: 'SERVICE_TASK_PLACEMENT_FAILURE' };
    const event = { time, 'detail-type': 'ECS Service Action', detail, resources: ['arn:service/fleet/a'] };
    await expect(handler(event)).rejects.toThrow('is not about a task or a launch');
  });
});
