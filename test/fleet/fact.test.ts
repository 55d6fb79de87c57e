import { describe, expect, it } from '@jest/globals';
import { sanitizeDetail } from '../../core/endpoints/fleet-state.ts';
import {
  isScheduled,
  type LaunchEvent,
  launchCauseFrom,
  type TaskEvent,
  type WorkerEvent,
  workerEventFrom,
} from '../../core/fleet/event.ts';
import { factOf, launchFact } from '../../core/fleet/fact-from-event.ts';
import { AGENT_UNHEALTHY } from '../../core/limits.ts';
import type { Fact } from '../../core/workers/apply-facts.ts';
import type { Lease } from '../../core/workers/lease.ts';
import { AGENT_FAILING } from '../../core/workers/protocol.ts';
import { secretRules } from '../../packages/emulator/ecs/secret-rules.ts';
import { taskEvent } from './events.ts';
import { messages } from './messages.ts';

const AT = Date.parse('2026-01-02T03:04:05.678Z');

const lease = (readySince: number | null): Lease => ({
  endpoint: 'echo',
  worker: 'task-1',
  jobs: [],
  endsAt: AT,
  removeAfter: 1,
  readySince,
});
const notReady = lease(null);

const containers = (worker: number, agent?: number) => [
  { name: 'agent', ...(agent !== undefined && { exitCode: agent }) },
  { name: 'worker', exitCode: worker },
];
const exited = (differences: Partial<TaskEvent>) =>
  taskEvent({
    at: AT,
    stopCode: 'EssentialContainerExited',
    stoppedReason: 'Essential container in task exited',
    ...differences,
  });

describe('a failure that AWS reports', () => {
  it.each(messages.map((message) => [message.means, message.text, message] as const))(
    'is %s: %s',
    (means, text, { of }) => {
      const service = { service: 'echo', at: AT };
      const refused = { of: 'service', ...service, name: 'SERVICE_TASK_PLACEMENT_FAILURE', reason: text } as const;
      const failed = { stopCode: 'TaskFailedToStart', stoppedReason: text, startedAt: undefined };
      const facts: Record<typeof of, Fact | undefined> = {
        placement: factOf(refused, undefined),
        stop: factOf(taskEvent({ ...service, ...failed }), undefined),
        launch: launchFact({ at: AT, reason: text }),
      };
      expect(facts[of]).toMatchObject({
        is: 'failed',
        blocker: means,
        at: AT,
        detail: sanitizeDetail(text),
      });
    },
  );

  it('is also read from the reason of a container', () => {
    const event = taskEvent({
      at: AT,
      stopCode: 'TaskFailedToStart',
      stoppedReason: 'Task failed to start',
      startedAt: undefined,
      containers: [{ name: 'worker', reason: 'CannotPullContainerError: no such manifest' }],
    });
    const detail = 'Task failed to start CannotPullContainerError: no such manifest';
    expect(factOf(event, undefined)).toMatchObject({ blocker: 'IMAGE_UNAVAILABLE', detail, task: 'task-1' });
  });

  it('is shown to its end if a secret with a long ARN is missing', () => {
    const { error, prefix } = secretRules.secretsAreRead.value;
    const arn = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:gpu-endpoints/env/HUGGING_FACE_TOKEN';
    const missing = "ResourceNotFoundException: Secrets Manager can't find the specified secret.";
    expect(sanitizeDetail(`${error}: ${prefix}${arn} from secrets manager: ${missing}`)).toBe(
      `${error}: unable to retrieve secret from asm: failed to fetch secret ${arn} from secrets manager: ${missing}`,
    );
  });

  it('is shown without credentials and line breaks, and cut to 300 characters', () => {
    const signed = 'Get "https://me:pass@layers.example/a/b?X-Amz-Security-Token=SECRET&x=1":\n denied';
    expect(sanitizeDetail(signed)).toBe('Get "https://layers.example/a/b?…": denied');
    expect(sanitizeDetail('x'.repeat(10_000))).toHaveLength(300);
    expect(sanitizeDetail(`${'x'.repeat(298)}\u{1f600}x`).isWellFormed()).toBe(true);
  });
});

describe('a task that stops', () => {
  it.each<[string, TaskEvent, Lease | undefined, object | undefined]>([
    [
      'has failed to start if its container exits before the worker requests a job',
      exited({ containers: containers(7), startedAt: AT - 2_000 }),
      notReady,
      {
        is: 'failed',
        blocker: 'WORKER_EXITS',
        task: 'task-1',
        detail: expect.stringContaining('"worker" exited with code 7 after 2 s'),
      },
    ],
    [
      'has failed if its container exits before the other containers',
      exited({ containers: containers(7, 0) }),
      notReady,
      { is: 'failed', blocker: 'WORKER_EXITS', detail: expect.stringContaining('exited with code 7') },
    ],
    [
      'has failed to start if its agent exits before all containers ran',
      exited({ containers: [{ name: 'agent', exitCode: 1 }], startedAt: undefined }),
      undefined,
      {
        is: 'failed',
        blocker: 'WORKER_EXITS',
        task: 'task-1',
        detail: expect.stringContaining('"agent" exited with code 1'),
      },
    ],
    [
      'was ready if its container exits while it has a job',
      exited({ containers: containers(1) }),
      lease(AT - 5_000),
      { is: 'ready', at: AT - 5_000 },
    ],
    ['is gone after its agent shut down normally', exited({ containers: containers(1) }), undefined, { is: 'stopped' }],
    [
      'is unhealthy if its HTTP server never answers',
      exited({ containers: [{ name: 'agent', exitCode: AGENT_UNHEALTHY }] }),
      notReady,
      { is: 'failed', blocker: 'WORKER_UNHEALTHY', task: 'task-1' },
    ],
    [
      'is unhealthy if its jobs fail immediately',
      exited({ containers: [{ name: 'agent', exitCode: AGENT_FAILING }] }),
      undefined,
      {
        is: 'failed',
        blocker: 'WORKER_UNHEALTHY',
        detail: '3 jobs in a row failed within 1000 ms of their start, so the worker is replaced.',
      },
    ],
    [
      'is unhealthy if it fails its health checks before it is ready',
      taskEvent({
        at: AT,
        stopCode: 'ServiceSchedulerInitiated',
        stoppedReason: 'Task failed container health checks',
      }),
      notReady,
      { is: 'failed', blocker: 'WORKER_UNHEALTHY', task: 'task-1' },
    ],
    [
      'is gone if it is no longer needed before it is ready',
      taskEvent({ at: AT, stopCode: 'ServiceSchedulerInitiated', stoppedReason: 'Scaling activity initiated by (d)' }),
      notReady,
      { is: 'stopped', task: 'task-1' },
    ],
    ['is gone if it was stopped manually', taskEvent({ at: AT }), notReady, { is: 'stopped' }],
  ])('%s', (_, event, known, fact) => {
    expect(factOf(event, known)).toMatchObject(fact ?? {});
  });

  it('has not failed to start if it becomes unhealthy after it was ready', () => {
    const reason = { stopCode: 'ServiceSchedulerInitiated', stoppedReason: 'Task failed container health checks' };
    const fact = factOf(taskEvent({ at: AT, ...reason }), lease(AT - 1));
    expect(fact).toMatchObject({ is: 'failed', blocker: 'WORKER_UNHEALTHY' });
    expect(fact).not.toHaveProperty('task');
  });

  it('failed at the time when it began to stop, according to each of its events', () => {
    const failures = [AT, AT + 1, AT + 60_000].map((at) =>
      factOf(exited({ at, stoppingAt: AT, containers: containers(1) }), notReady),
    );
    expect(new Set(failures.map((fact) => fact?.at))).toEqual(new Set([AT]));
  });
});

describe('a task that never had a place', () => {
  const gaveUp = (differences: Partial<TaskEvent> = {}) =>
    taskEvent({
      at: AT,
      stopCode: 'TaskFailedToStart',
      stoppedReason: 'Unexpected EC2 error while attempting to place the task',
      startedAt: undefined,
      launchType: 'EC2',
      capacityProviderName: 'Fleet-nvidia',
      ...differences,
    });

  it.each<[string, Partial<TaskEvent>]>([
    ['with launch type EC2', {}],
    ['with only the name of its capacity provider', { launchType: undefined }],
    ['without the name of its capacity provider', { capacityProviderName: undefined }],
    ['with another stop code', { stopCode: 'TerminationNotice' }],
  ])('means that a pool has no capacity, and is no failed start, %s', (_, differences) => {
    const fact = factOf(gaveUp(differences), undefined);
    expect(fact).toMatchObject({ is: 'failed', blocker: 'NO_CAPACITY', at: AT, isVague: true });
    expect(fact).not.toHaveProperty('task');
  });

  it('means that a quota is reached if its reason says so', () => {
    const fact = factOf(gaveUp({ stoppedReason: 'VcpuLimitExceeded: 0' }), undefined);
    expect(fact).toMatchObject({ blocker: 'QUOTA', detail: 'VcpuLimitExceeded: 0' });
    expect(fact).not.toHaveProperty('isVague');
    expect(fact).not.toHaveProperty('task');
  });

  it.each<[string, Partial<TaskEvent>, object]>([
    [
      'has failed to start if it was on an instance',
      { containerInstanceArn: 'arn:aws:ecs:us-west-2:111122223333:container-instance/default/i1' },
      { blocker: 'CANNOT_START', task: 'task-1' },
    ],
    [
      'has failed to start if it is on Fargate',
      { launchType: 'FARGATE', capacityProviderName: 'FARGATE_SPOT' },
      { blocker: 'CANNOT_START', task: 'task-1' },
    ],
    [
      'has failed to start if only its capacity provider is known, and is Fargate',
      { launchType: undefined, capacityProviderName: 'FARGATE' },
      { blocker: 'CANNOT_START', task: 'task-1' },
    ],
    ['is gone if the service no longer needs it', { stopCode: 'ServiceSchedulerInitiated' }, { is: 'stopped' }],
  ])('%s', (_, differences, fact) => {
    expect(factOf(gaveUp(differences), undefined)).toMatchObject(fact);
  });
});

describe('an event of EventBridge', () => {
  const envelope = { version: '0', id: 'x', source: 'aws.ecs', time: '2026-01-02T03:04:06Z' };
  const resources = ['arn:aws:ecs:us-west-2:111122223333:service/default/echo'];
  const workerFrom = (event: object) => workerEventFrom(event) as WorkerEvent;

  it('is read if it is about a task', () => {
    const detail = {
      taskArn: 'arn:aws:ecs:us-west-2:111122223333:task/default/c13b',
      clusterArn: 'arn:aws:ecs:us-west-2:111122223333:cluster/default',
      group: 'service:echo',
      lastStatus: 'PENDING',
      desiredStatus: 'RUNNING',
      updatedAt: '2026-01-02T03:04:05.678Z',
      containers: [{ name: 'agent', lastStatus: 'PENDING' }],
      version: 2,
    };
    const event = workerFrom({ ...envelope, 'detail-type': 'ECS Task State Change', resources: [], detail });
    expect(event).toMatchObject({
      of: 'task',
      service: 'echo',
      worker: 'c13b',
      at: AT,
      containers: [{ name: 'agent' }],
    });
    expect(factOf(event, undefined)).toEqual({ is: 'placed', task: 'c13b', at: AT });
  });

  it('is read with the place of its task', () => {
    const detail = {
      taskArn: 'arn:aws:ecs:us-west-2:111122223333:task/default/c13b',
      group: 'service:echo',
      lastStatus: 'STOPPED',
      desiredStatus: 'STOPPED',
      launchType: 'EC2',
      capacityProviderName: 'Fleet-nvidia',
      stopCode: 'TaskFailedToStart',
      stoppedReason: 'no room',
      updatedAt: '2026-01-02T03:04:05.678Z',
    };
    const read = (its: object) =>
      factOf(workerFrom({ ...envelope, 'detail-type': 'ECS Task State Change', detail: its }), undefined);
    expect(read(detail)).toMatchObject({ blocker: 'NO_CAPACITY' });
    const containerInstanceArn = 'arn:aws:ecs:us-west-2:111122223333:container-instance/default/i1';
    expect(read({ ...detail, containerInstanceArn })).toMatchObject({ blocker: 'CANNOT_START', task: 'c13b' });
  });

  it.each([
    ['ECS Service Action', 'SERVICE_TASK_PLACEMENT_FAILURE', 'createdAt', { is: 'failed', blocker: 'NO_CAPACITY' }],
    [
      'ECS Service Action',
      'SERVICE_TASK_CONFIGURATION_FAILURE',
      'createdAt',
      { is: 'failed', blocker: 'CANNOT_START' },
    ],
    ['ECS Service Action', 'SERVICE_TASK_START_IMPAIRED', 'createdAt', { is: 'failed', isVague: true }],
    ['ECS Deployment State Change', 'SERVICE_DEPLOYMENT_IN_PROGRESS', 'updatedAt', { is: 'released' }],
    ['ECS Deployment State Change', 'SERVICE_DEPLOYMENT_FAILED', 'updatedAt', { is: 'failed', isVague: true }],
  ])('is read if it is of type %s: %s', (kind, eventName, time, fact) => {
    const detail = { eventName, reason: 'something else', [time]: '2026-01-02T03:04:05.678Z' };
    const event = workerFrom({ ...envelope, 'detail-type': kind, resources, detail });
    expect(event).toMatchObject({ service: 'echo' });
    expect(factOf(event, undefined)).toMatchObject({ at: AT, ...fact });
  });

  it('is read if it is about an instance that could not start', () => {
    const detail = {
      StatusCode: 'Failed',
      AutoScalingGroupName: 'Fleet-PoolnvidiaGroupASG1-x',
      ActivityId: 'd2',
      Details: { 'Availability Zone': 'us-west-2b', 'Subnet ID': 'subnet-1' },
      StatusMessage: 'VcpuLimitExceeded: 0. Launching EC2 instance failed.',
      EC2InstanceId: '',
      Cause: 'At 2026-01-02T03:04:00Z an instance was started in response to a difference.',
    };
    const event = launchCauseFrom({
      ...envelope,
      'detail-type': 'EC2 Instance Launch Unsuccessful',
      resources,
      detail,
    });
    const at = Date.parse(envelope.time);
    expect(event).toMatchObject({ of: 'launch', group: 'Fleet-PoolnvidiaGroupASG1-x', at });
    const message = 'VcpuLimitExceeded: 0. Launching EC2 instance failed.';
    expect(launchFact(event as LaunchEvent)).toEqual({ is: 'failed', blocker: 'QUOTA', detail: message, at });
    expect(() => workerEventFrom({ ...envelope, 'detail-type': 'EC2 Instance Launch Unsuccessful', detail })).toThrow(
      'is not about a service, a task or an instance',
    );
  });

  it('is read if it is about an instance that was started, and names its group', () => {
    const event = { ...envelope, 'detail-type': 'EC2 Instance Launch Successful' };
    const detail = { AutoScalingGroupName: 'gpus', EC2InstanceId: 'i-1' };
    expect(launchCauseFrom({ ...event, detail })).toEqual({
      of: 'launched',
      group: 'gpus',
      at: Date.parse(event.time),
      instance: { id: 'i-1', launchedAt: Date.parse(event.time) },
    });
  });

  it('can report that a minute has passed', () => {
    expect(isScheduled({ ...envelope, 'detail-type': 'Scheduled Event', detail: {} })).toBe(true);
    expect(isScheduled({ ...envelope, 'detail-type': 'ECS Task State Change', detail: {} })).toBe(false);
  });

  it('is read if an instance was launched or registered', () => {
    const registered = {
      clusterArn: 'arn:aws:ecs:us-west-2:111122223333:cluster/default',
      containerInstanceArn: 'arn:aws:ecs:us-west-2:111122223333:container-instance/default/1f2',
      ec2InstanceId: 'i-0a1',
      registeredAt: '2026-01-02T03:04:05.678Z',
      status: 'ACTIVE',
    };
    const launched = {
      StatusCode: 'InProgress',
      AutoScalingGroupName: 'Fleet-PoolnvidiaGroupASG1-x',
      StartTime: '2026-01-02T03:03:40.678Z',
      EndTime: '2026-01-02T03:04:05.678Z',
      EC2InstanceId: 'i-0a1',
    };
    const read = (kind: string, detail: object) =>
      workerEventFrom({ ...envelope, 'detail-type': kind, resources, detail });
    const [one, other] = [
      read('ECS Container Instance State Change', registered),
      read('EC2 Instance Launch Successful', launched),
    ];
    expect(one).toMatchObject({ of: 'instance', instance: { id: '1f2', ec2: 'i-0a1', registeredAt: AT } });
    expect(other).toMatchObject({ of: 'instance', instance: { id: 'i-0a1', launchedAt: AT } });
  });

  it('is refused if it is of another type', () => {
    expect(() =>
      workerEventFrom({ ...envelope, 'detail-type': 'EC2 Instance Terminate Successful', detail: {} }),
    ).toThrow();
  });
});
