/** Tests the calls to ECS and Auto Scaling on a server that has their protocols. */
import { text } from 'node:stream/consumers';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createInstanceGroups } from '../../aws/workers/instance-groups.ts';
import type { InstanceGroups } from '../../core/fleet/pool.ts';
import { useAwsServer } from './aws-server.ts';

interface Call {
  readonly operation: string;
  readonly input: Record<string, unknown>;
}

interface Answer {
  readonly status?: number;
  readonly body: object | string;
}

const calls: Call[] = [];
/** Answers by operation; each call takes the first, and the last answer remains. */
const answers = new Map<string, Answer[]>();
let groups: InstanceGroups;

const answer = (operation: string, ...given: Answer[]) => answers.set(operation, given);
const inputsOf = (operation: string) => calls.filter((call) => call.operation === operation).map(({ input }) => input);

useAwsServer((incoming, outgoing) => {
  void text(incoming).then((body) => {
    const target = incoming.headers['x-amz-target'];
    const form = new URLSearchParams(body);
    const operation = target === undefined ? String(form.get('Action')) : String(target).replace(/^.*\./, '');
    calls.push({ operation, input: target === undefined ? Object.fromEntries(form) : JSON.parse(body) });
    const left = answers.get(operation) ?? [];
    const [given] = left.length > 1 ? left.splice(0, 1) : left;
    const { status = 200, body: response } = given ?? { status: 400, body: { __type: 'UnknownOperation' } };
    outgoing.writeHead(status, { 'content-type': typeof response === 'string' ? 'text/xml' : 'application/json' });
    outgoing.end(typeof response === 'string' ? response : JSON.stringify(response));
  });
});
beforeAll(() => {
  groups = createInstanceGroups();
});
beforeEach(() => {
  calls.length = 0;
  answers.clear();
});

const launch = { subnet: 'subnet-1', count: 2, token: 'token-1' };
const errorOf = (code: string, type = 'Sender') =>
  `<ErrorResponse><Error><Type>${type}</Type><Code>${code}</Code><Message>why</Message></Error></ErrorResponse>`;

describe('a launch', () => {
  it('names the group, one subnet, the number and the token, and returns the instances and errors', async () => {
    const result = `<LaunchInstancesResponse><LaunchInstancesResult>
      <Instances><member><InstanceIds><member>i-1</member><member>i-2</member></InstanceIds></member></Instances>
      <Errors><member><ErrorCode>InsufficientInstanceCapacity</ErrorCode><ErrorMessage>none</ErrorMessage></member></Errors>
      </LaunchInstancesResult></LaunchInstancesResponse>`;
    answer('LaunchInstances', { body: result });
    expect(await groups.launch('gpus', launch)).toEqual({
      ids: ['i-1', 'i-2'],
      refusals: [{ code: 'InsufficientInstanceCapacity', message: 'none' }],
    });
    expect(inputsOf('LaunchInstances')).toEqual([
      expect.objectContaining({
        AutoScalingGroupName: 'gpus',
        RequestedCapacity: '2',
        ClientToken: 'token-1',
        'SubnetIds.member.1': 'subnet-1',
        RetryStrategy: 'none',
      }),
    ]);
  });

  it('is refused if Auto Scaling does not accept the call', async () => {
    answer('LaunchInstances', { status: 400, body: errorOf('ValidationError') });
    expect(await groups.launch('gpus', launch)).toEqual({
      ids: [],
      refusals: [],
      error: expect.stringContaining('why'),
    });
  });

  it('throws if its result is unknown, after the SDK has repeated it with the same token', async () => {
    answer('LaunchInstances', { status: 500, body: errorOf('InternalFailure', 'Receiver') });
    await expect(groups.launch('gpus', launch)).rejects.toThrow();
    const tokens = inputsOf('LaunchInstances').map(({ ClientToken }) => ClientToken);
    expect(tokens.length).toBeGreaterThan(1);
    expect(new Set(tokens)).toEqual(new Set(['token-1']));
  });
});

describe('a group', () => {
  it('lists the instances that start or run, and the number that it should have', async () => {
    const member = (id: string, state: string) =>
      `<member><InstanceId>${id}</InstanceId><LifecycleState>${state}</LifecycleState></member>`;
    const body = `<DescribeAutoScalingGroupsResponse><DescribeAutoScalingGroupsResult><AutoScalingGroups><member>
      <AutoScalingGroupName>gpus</AutoScalingGroupName><DesiredCapacity>3</DesiredCapacity><Instances>
      ${member('i-1', 'InService')}${member('i-2', 'Pending')}${member('i-3', 'Terminating:Wait')}
      </Instances></member></AutoScalingGroups></DescribeAutoScalingGroupsResult></DescribeAutoScalingGroupsResponse>`;
    answer('DescribeAutoScalingGroups', { body });
    expect(await groups.group('gpus')).toEqual({ ids: ['i-1', 'i-2'], desired: 3 });
    const none =
      '<DescribeAutoScalingGroupsResponse><DescribeAutoScalingGroupsResult/></DescribeAutoScalingGroupsResponse>';
    answer('DescribeAutoScalingGroups', { body: none });
    expect(await groups.group('gone')).toEqual({ ids: [], desired: 0 });
  });
});

describe('the groups of instances', () => {
  it('are described for 50 instances at a time', async () => {
    const body = `<DescribeAutoScalingInstancesResponse><DescribeAutoScalingInstancesResult><AutoScalingInstances>
      <member><InstanceId>i-1</InstanceId><AutoScalingGroupName>gpus</AutoScalingGroupName></member>
      </AutoScalingInstances></DescribeAutoScalingInstancesResult></DescribeAutoScalingInstancesResponse>`;
    answer('DescribeAutoScalingInstances', { body });
    const ids = Array.from({ length: 51 }, (_, n) => `i-${n + 1}`);
    expect(await groups.groupsOf(ids)).toEqual(new Map([['i-1', 'gpus']]));
    expect(inputsOf('DescribeAutoScalingInstances').map((input) => Object.values(input).at(-1))).toEqual([
      'i-50',
      'i-51',
    ]);
  });
});

describe('the instances of a cluster', () => {
  const instance = {
    containerInstanceArn: 'arn:1',
    ec2InstanceId: 'i-1',
    capacityProviderName: 'gpus',
    status: 'ACTIVE',
    agentConnected: true,
    runningTasksCount: 1,
    pendingTasksCount: 2,
    remainingResources: [
      { name: 'CPU', type: 'INTEGER', integerValue: 1024 },
      { name: 'MEMORY', type: 'INTEGER', integerValue: 2048 },
      { name: 'GPU', type: 'STRINGSET', stringSetValue: ['a', 'b'] },
    ],
  };

  it('have their free resources and the number of their tasks', async () => {
    answer('ListContainerInstances', { body: { containerInstanceArns: ['arn:1'] } });
    const disconnected = { ...instance, agentConnected: false, remainingResources: [] };
    answer('DescribeContainerInstances', { body: { containerInstances: [instance, disconnected] } });
    const free = { gpus: 2, cpu: 1024, memory: 2048 };
    expect(await groups.instances('fleet')).toEqual([
      { arn: 'arn:1', id: 'i-1', provider: 'gpus', status: 'ACTIVE', tasks: 3, free },
      expect.objectContaining({ status: 'OTHER', free: { gpus: 0, cpu: 0, memory: 0 } }),
    ]);
  });

  it('are not described if there are none', async () => {
    answer('ListContainerInstances', { body: { containerInstanceArns: [] } });
    expect(await groups.instances('fleet')).toEqual([]);
    expect(inputsOf('DescribeContainerInstances')).toEqual([]);
  });

  it('can be drained, returned and ended', async () => {
    answer('UpdateContainerInstancesState', { body: {} });
    answer('TerminateInstanceInAutoScalingGroup', {
      body: '<TerminateInstanceInAutoScalingGroupResponse><TerminateInstanceInAutoScalingGroupResult/></TerminateInstanceInAutoScalingGroupResponse>',
    });
    await groups.drain('fleet', 'arn:1');
    await groups.activate('fleet', 'arn:1');
    await groups.end('i-1');
    const ofOne = { cluster: 'fleet', containerInstances: ['arn:1'] };
    expect(inputsOf('UpdateContainerInstancesState')).toEqual([
      { ...ofOne, status: 'DRAINING' },
      { ...ofOne, status: 'ACTIVE' },
    ]);
    expect(inputsOf('TerminateInstanceInAutoScalingGroup')).toEqual([
      expect.objectContaining({ InstanceId: 'i-1', ShouldDecrementDesiredCapacity: 'true' }),
    ]);
  });
});

describe('the tasks of a service', () => {
  it('wait if ECS has found no instance of their capacity provider', async () => {
    const waits = { lastStatus: 'PROVISIONING', desiredStatus: 'RUNNING', capacityProviderName: 'gpus' };
    const { capacityProviderName: _, ...onLaptop } = waits;
    const tasks = [
      waits,
      { ...waits, lastStatus: 'PENDING', containerInstanceArn: 'arn:1' },
      { ...waits, containerInstanceArn: 'arn:1' },
      { ...waits, desiredStatus: 'STOPPED' },
      onLaptop,
    ];
    answer('ListTasks', { body: { taskArns: ['t1'], nextToken: 'more' } }, { body: { taskArns: ['t2'] } });
    answer('DescribeTasks', { body: { tasks } });
    expect(await groups.waiting({ cluster: 'fleet', service: 'chat' })).toBe(1);
    expect(inputsOf('DescribeTasks')).toEqual([{ cluster: 'fleet', tasks: ['t1', 't2'] }]);
  });
});
