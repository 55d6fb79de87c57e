import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { AwsFault } from '../../aws-proxy/aws-fault.ts';
import type { JsonService } from '../../aws-proxy/json-service.ts';
import type { ServiceDefinition } from '../../ecs/definitions.ts';
import { startEcs } from '../../ecs/ecs.ts';
import { createEcsApi } from '../../ecs/ecs-api.ts';
import { arnOf, createFamilies, runnable } from '../../ecs/families.ts';
import { noServices } from '../../ecs/registry.ts';
import { rules } from '../../ecs/rules.ts';
import { createServiceMemory } from '../../ecs/service-memory.ts';
import { noAws } from '../small-service.ts';
import { definition, revision, smallEcs, testContainers } from './small-ecs.ts';
import { fakeClock } from './test-clock.ts';

const caller = {
  roleArn: 'arn:aws:iam::000000000000:role/scaler',
  sessionArn: 'arn:aws:sts::000000000000:assumed-role/scaler/s',
};
const arnPrefix = 'arn:aws:ecs:us-east-1:000000000000:';
const cluster = 'fleet';
const service = 'echo-Service';

const callAs = (api: JsonService) => (operation: string, input: object) => api.call(operation, input, caller);

function api(desiredCount: number) {
  const ecs = smallEcs(desiredCount);
  const ecsApi = createEcsApi(ecs.definitions);
  return { ...ecs, authorization: ecsApi.authorization, call: callAs(ecsApi) };
}

/** Returns the name and the message of the fault. */
async function faultOf(answer: Promise<unknown>): Promise<[string, string]> {
  const fault = await answer.catch((error: unknown) => error);
  if (!(fault instanceof AwsFault)) throw new Error(`There was no fault, but ${JSON.stringify(fault)}.`);
  expect(fault.status).toBe(400);
  return [fault.name, fault.message];
}

describe('the ECS API', () => {
  it('changes the desired count with UpdateService, by names and by ARNs', async () => {
    const { call, tasks } = api(0);
    const counts = { desiredCount: 2, runningCount: 0, pendingCount: 2 };
    expect(await call('UpdateService', { cluster, service, desiredCount: 2 })).toMatchObject({ service: counts });
    expect(tasks).toHaveLength(2);
    const arns = { cluster: `${arnPrefix}cluster/fleet`, service: `${arnPrefix}service/fleet/echo-Service` };
    expect(await call('UpdateService', { ...arns, desiredCount: 1 })).toMatchObject({ service: { desiredCount: 1 } });
    expect(await call('UpdateService', arns)).toMatchObject({ service: { desiredCount: 1, pendingCount: 1 } });
  });

  it.each([
    [
      { enableExecuteCommand: true, platformVersion: '1.4.0' },
      'enableExecuteCommand is not supported on this machine; platformVersion is not supported on this machine',
    ],
    [{ forceNewDeployment: 'yes' }, 'forceNewDeployment cannot be "yes"'],
    [{ desiredCount: -1 }, 'desiredCount cannot be -1'],
    [{ desiredCount: 1.5 }, 'desiredCount cannot be 1.5'],
    [{ desiredCount: '1' }, 'desiredCount cannot be "1"'],
    [{ service: undefined }, 'service is missing'],
  ])('refuses UpdateService with %j', async (wrong, message) => {
    const { call, service: its } = api(1);
    const [name, text] = await faultOf(call('UpdateService', { cluster, service, desiredCount: 0, ...wrong }));
    expect(name).toBe('InvalidParameterException');
    expect(text).toContain(message);
    expect(its.desiredCount()).toBe(1);
  });

  it('returns an error for a cluster, service or task that does not exist', async () => {
    const { call } = api(1);
    const noCluster = ['ClusterNotFoundException', 'Cluster not found.'];
    const noService = ['ServiceNotFoundException', 'Service not found.'];
    expect(await faultOf(call('UpdateService', { cluster: 'other', service }))).toEqual(noCluster);
    expect(await faultOf(call('DescribeServices', { services: [service] }))).toEqual(noCluster);
    expect(await faultOf(call('UpdateService', { cluster, service: 'echo' }))).toEqual(noService);
    expect(await faultOf(call('ListTasks', { cluster, serviceName: 'echo' }))).toEqual(noService);
    expect(await faultOf(call('StopTask', { cluster, task: 'x' }))).toEqual([
      'InvalidParameterException',
      'The referenced task was not found.',
    ]);
    expect((await faultOf(call('RunTask', { cluster })))[0]).toBe('UnknownOperationException');
  });

  it('names missing services and tasks in DescribeServices and DescribeTasks', async () => {
    const { call, tasks } = api(2);
    tasks[0]?.run();
    const counts = { desiredCount: 2, runningCount: 1, pendingCount: 1 };
    const taskDefinition = `${arnPrefix}task-definition/echo:1`;
    expect(await call('DescribeServices', { cluster, services: [service, 'other'] })).toEqual({
      services: [
        expect.objectContaining({
          serviceArn: `${arnPrefix}service/fleet/echo-Service`,
          serviceName: service,
          clusterArn: `${arnPrefix}cluster/fleet`,
          status: 'ACTIVE',
          taskDefinition,
          ...counts,
          createdAt: Date.UTC(2026, 0, 1) / 1000,
          deployments: [
            expect.objectContaining({
              id: expect.stringMatching(/^ecs-svc\/\d+$/),
              status: 'PRIMARY',
              taskDefinition,
              ...counts,
              failedTasks: 0,
              rolloutState: 'IN_PROGRESS',
              rolloutStateReason: expect.stringMatching(/^ECS deployment ecs-svc\/\d+ in progress\.$/),
            }),
          ],
        }),
      ],
      failures: [{ arn: `${arnPrefix}service/fleet/other`, reason: 'MISSING' }],
    });
    expect(await call('DescribeTasks', { cluster, tasks: [tasks[0]?.id, 'other'] })).toEqual({
      tasks: [
        expect.objectContaining({
          taskArn: `${arnPrefix}task/fleet/${tasks[0]?.id}`,
          lastStatus: 'RUNNING',
          group: 'service:echo-Service',
          createdAt: Date.UTC(2026, 0, 1) / 1000,
        }),
      ],
      failures: [{ arn: `${arnPrefix}task/fleet/other`, reason: 'MISSING' }],
    });
  });

  it('returns counts and deployments of a service in DescribeServices', async () => {
    const { call, service: its, tasks } = api(2);
    tasks[0]?.run();
    its.update({ taskDefinition: revision(2) });
    const { services } = (await call('DescribeServices', { cluster, services: [service] })) as {
      services: { deployments: { status: string; taskDefinition: string }[] }[];
    };
    const shown = { desiredCount: 2, runningCount: 0, pendingCount: 2 };
    expect(services[0]).toMatchObject({
      taskDefinition: `${arnPrefix}task-definition/echo:2`,
      desiredCount: 2,
      runningCount: 1,
      pendingCount: 3,
    });
    expect(services[0]?.deployments).toMatchObject([
      { status: 'PRIMARY', taskDefinition: `${arnPrefix}task-definition/echo:2`, ...shown },
      { status: 'ACTIVE', taskDefinition: `${arnPrefix}task-definition/echo:1`, runningCount: 1, pendingCount: 1 },
    ]);
  });

  it('lists tasks by service and desired status with ListTasks', async () => {
    const { call, tasks } = api(2);
    const [first, second] = tasks.map(({ state }) => state().taskArn);
    await call('UpdateService', { cluster, service, desiredCount: 1 });
    expect(await call('ListTasks', { cluster })).toEqual({ taskArns: [first] });
    const stopped = { cluster, serviceName: service, desiredStatus: 'STOPPED' };
    expect(await call('ListTasks', stopped)).toEqual({ taskArns: [second] });
  });

  it('lists no instances with ListContainerInstances, because tasks are processes', async () => {
    const { call } = api(1);
    expect(await call('ListContainerInstances', { cluster })).toEqual({ containerInstanceArns: [] });
  });

  it('stops a protected task with StopTask, and the service replaces it', async () => {
    const { call, clock, tasks, notices } = api(1);
    const task = tasks[0]?.state().taskArn;
    await call('UpdateTaskProtection', { cluster, tasks: [task], protectionEnabled: true });
    expect(await call('StopTask', { cluster, task, reason: 'enough' })).toMatchObject({
      task: { taskArn: task, desiredStatus: 'STOPPED', stopCode: 'UserInitiated', stoppedReason: 'enough' },
    });
    await clock.pass(0);
    expect(tasks).toHaveLength(2);
    expect(notices).toEqual([]);
    await call('StopTask', { cluster, task: tasks[1]?.id });
    expect(tasks[1]?.state().stoppedReason).toBe('Task stopped by user');
  });

  it('returns a separate result for each task in UpdateTaskProtection and GetTaskProtection', async () => {
    const { call, clock, tasks } = api(2);
    const [first, second] = tasks.map(({ state }) => state().taskArn);
    const expirationDate = clock.now() / 1000 + 60;
    const request = { cluster, tasks: [first, 'other'], protectionEnabled: true, expiresInMinutes: 1 };
    const failures = [{ arn: `${arnPrefix}task/fleet/other`, reason: 'MISSING' }];
    const protectedFirst = { taskArn: first, protectionEnabled: true, expirationDate };
    expect(await call('UpdateTaskProtection', request)).toEqual({ protectedTasks: [protectedFirst], failures });
    expect(await call('GetTaskProtection', { cluster, tasks: [first, second] })).toEqual({
      protectedTasks: [protectedFirst, { taskArn: second, protectionEnabled: false }],
      failures: [],
    });
  });

  it('determines the action and the resources that a call needs permission for', () => {
    const { authorization } = api(1);
    const context = { 'ecs:cluster': [`${arnPrefix}cluster/fleet`] };
    const resources = (
      [
        ['UpdateService', { service }],
        ['DescribeServices', { services: [service] }],
        ['DescribeServices', { services: [service, 'other'] }],
        ['StopTask', { task: 'abc' }],
        ['DescribeTasks', { tasks: [`${arnPrefix}task/fleet/abc`] }],
        ['ListTasks', {}],
        ['ListContainerInstances', {}],
      ] as const
    ).map(([operation, input]) => authorization(operation, { cluster, ...input }));
    expect(resources).toEqual(
      [
        { action: 'ecs:UpdateService', resource: `${arnPrefix}service/fleet/echo-Service` },
        { action: 'ecs:DescribeServices', resource: `${arnPrefix}service/fleet/echo-Service` },
        { action: 'ecs:DescribeServices', resource: `${arnPrefix}service/fleet/*` },
        { action: 'ecs:StopTask', resource: `${arnPrefix}task/fleet/abc` },
        { action: 'ecs:DescribeTasks', resource: `${arnPrefix}task/fleet/abc` },
        { action: 'ecs:ListTasks', resource: `${arnPrefix}container-instance/fleet/*` },
        { action: 'ecs:ListContainerInstances', resource: `${arnPrefix}cluster/fleet` },
      ].map((access) => ({ ...access, context, also: [] })),
    );
  });
});

describe('a policy', () => {
  it('can depend on the tags of a task if the call names only that task', () => {
    const { authorization, tasks } = api(2);
    const [one = '', other = ''] = tasks.map((task) => task.state().taskArn);
    const tagOf = (operation: string, input: object) =>
      authorization(operation, { cluster, ...input }).context?.['aws:ResourceTag/endpoint'];
    expect(tagOf('UpdateTaskProtection', { tasks: [one], protectionEnabled: true })).toEqual(['echo']);
    expect(tagOf('StopTask', { task: other })).toEqual(['echo']);
    expect(tagOf('UpdateTaskProtection', { tasks: [one, other], protectionEnabled: true })).toBeUndefined();
    expect(tagOf('StopTask', { task: 'abc' })).toBeUndefined();
    expect(tagOf('DescribeServices', { services: [service] })).toBeUndefined();
  });
});

describe('the desired count of a service', () => {
  it('outlives a restart until the template sets another one', async () => {
    const files = new Map<string, unknown>();
    const state = {
      readJson: <Content>(name: string) => files.get(name) as Content | undefined,
      writeJson: (name: string, content: unknown) => files.set(name, content),
    };
    /**
     * Starts the service with this count in its template.
     * @returns its desired count afterwards
     */
    async function countWith(desiredCount: number | undefined, change?: number): Promise<number | undefined> {
      const families = createFamilies(state);
      const definitions = noServices(families, createServiceMemory(families, state));
      const { desiredCount: _, ...rest } = definition;
      const properties = { desiredCount };
      const its: ServiceDefinition = { ...rest, properties, ...(desiredCount !== undefined && { desiredCount }) };
      definitions.clusters.add(cluster);
      definitions.services.push(its);
      definitions.memory.declare(its);
      const host = {
        containers: testContainers,
        awsEnvironment: noAws,
        folder: '',
        mark: {},
        clock: fakeClock(),
        images: () => new Map(),
        logFile: () => '',
      };
      const ecs = await startEcs({ definitions, host, notify: () => undefined });
      const [running] = definitions.running.values();
      const count = running?.desiredCount();
      const call = callAs(createEcsApi(definitions));
      if (change !== undefined) await call('UpdateService', { cluster, service, desiredCount: change });
      await ecs.stop(0);
      return count;
    }
    expect(await countWith(undefined)).toBe(1);
    expect(await countWith(0, 2)).toBe(0);
    expect(await countWith(0)).toBe(2);
    expect(await countWith(undefined)).toBe(2);
    expect(await countWith(1)).toBe(1);
    expect(await countWith(1, 0)).toBe(1);
    expect(await countWith(1)).toBe(0);
  });
});

describe('a service that does not run yet', () => {
  const file = () => {
    const files = new Map<string, unknown>();
    return {
      readJson: <Content>(name: string) => files.get(name) as Content | undefined,
      writeJson: (name: string, content: unknown) => files.set(name, JSON.parse(JSON.stringify(content))),
    };
  };
  const registration = {
    family: 'echo',
    taskRoleArn: 'arn:aws:iam::000000000000:role/echo-role',
    containerDefinitions: [],
  };
  const where = { cluster, service };

  /** Simulates a run of `npm start` that deploys the service with these properties. */
  function run(state: ReturnType<typeof file>, properties: object, desiredCount = 0) {
    const families = createFamilies(state);
    const definitions = noServices(families, createServiceMemory(families, state));
    definitions.clusters.add(cluster);
    const call = callAs(createEcsApi(definitions));
    const newest = families.find('echo') ?? families.register(registration, {});
    const its = { ...definition, taskDefinition: runnable(newest), properties, desiredCount };
    return {
      release: () => arnOf(families.register(registration, {})),
      declare: () => definitions.memory.declare(its),
      update: (change: object) => call('UpdateService', { ...where, ...change }),
      async described() {
        const { services } = (await call('DescribeServices', { cluster, services: [service] })) as {
          services: object[];
        };
        return services[0];
      },
    };
  }

  it('is described with its latest desired count, even after a restart', async () => {
    const state = file();
    const first = run(state, {});
    expect(await first.described()).toBeUndefined();
    await expect(first.update({ desiredCount: 1 })).rejects.toThrow('Service not found.');
    first.declare();
    await first.update({ desiredCount: 2 });
    expect(await first.described()).toMatchObject({ desiredCount: 2, runningCount: 0, serviceName: service });
    expect(await run(state, {}).described()).toMatchObject({ desiredCount: 2 });
  });

  it('keeps its revision until its template changes', async () => {
    const state = file();
    const first = run(state, {});
    first.declare();
    const before = await first.described();
    const released = first.release();
    const same = run(state, {});
    same.declare();
    expect(await same.described()).toEqual(before);
    const changed = run(state, { tags: 'others' }, 1);
    changed.declare();
    expect(await changed.described()).toMatchObject({ taskDefinition: released, desiredCount: 1 });
  });
});

describe('the table of rules', () => {
  it.each(Object.entries(rules))('names an existing test for %s', (_, { test: [file, title] }) => {
    const path = join(import.meta.dirname, file);
    expect(existsSync(path) && readFileSync(path, 'utf8')).toContain(`it('${title}'`);
  });
});
