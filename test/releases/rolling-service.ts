/**
 * Deploys endpoints with templates. Their services run on the local ECS, with its deployments, circuit breaker and
 * families of task definitions. A test starts and stops their tasks. ECS's events are passed to the functions that
 * EventBridge would invoke.
 */

import { portsWith } from '../../aws/ports.ts';
import { createReleasePorts, type ReleaseParts } from '../../aws/releases/ports.ts';
import { numberOf } from '../../core/endpoints/release.ts';
import { type TaskEvent, workerEventFrom } from '../../core/fleet/event.ts';
import { observe } from '../../core/fleet/observe.ts';
import { LEASE } from '../../core/limits.ts';
import { first } from '../../core/releases/endpoint-stack.ts';
import type { KeyedRelease } from '../../core/releases/history.ts';
import { release } from '../../core/releases/release.ts';
import { rollout } from '../../core/releases/template-rollout.ts';
import { type Edit, edited } from '../../core/templates/template.ts';
import { startAwsProxy } from '../../packages/emulator/aws-proxy/server.ts';
import { createEcsApi } from '../../packages/emulator/ecs/ecs-api.ts';
import { arnOf, runnable } from '../../packages/emulator/ecs/families.ts';
import { serviceArn } from '../../packages/emulator/ecs/names.ts';
import { noServices } from '../../packages/emulator/ecs/registry.ts';
import { createPermissions } from '../../packages/emulator/iam/permissions.ts';
import { parsePolicy } from '../../packages/emulator/iam/statement.ts';
import { smallEcs } from '../../packages/emulator/test/ecs/small-ecs.ts';
import { taskEvent } from '../fleet/events.ts';
import type { EmulatedDeployment } from '../support/emulated-deployment.ts';
import { templateOf } from '../templates/settings.ts';

const cluster = 'fleet';
/** Owner of the endpoints and of their private templates. */
export const OWNER = 'a';
const nowhere = 'http://127.0.0.1:1';

export type RollingPorts = EmulatedDeployment['ports'] & ReleaseParts;

const container = (name: string, variables: Readonly<Record<string, string>>) => ({
  name,
  image: name,
  essential: true,
  stopTimeout: 30,
  dependsOn: [],
  environment: Object.entries(variables).map(([key, value]) => ({ name: key, value })),
  healthCheck: { command: [], interval: 30, retries: 3, startPeriod: 0, timeout: 5 },
});

/** Starts ECS for endpoints whose releases the tests follow. The caller stops it. */
export async function startRollingServices(emulated: EmulatedDeployment) {
  const definitions = noServices();
  const { families, running } = definitions;
  definitions.clusters.add(cluster);
  const permissions = createPermissions();
  permissions.addRole('test');
  const Statement = [{ Effect: 'Allow' as const, Action: '*', Resource: '*' }];
  permissions.attach('test', parsePolicy({ Version: '2012-10-17', Statement }, 'policy', 'identity'));
  const front = await startAwsProxy({
    emulators: { dynamodbUrl: nowhere, sqsUrl: nowhere, s3Url: nowhere },
    permissions,
    tables: new Map(),
    services: new Map([['ecs', createEcsApi(definitions)]]),
    notify: () => undefined,
  });
  // The emulators accept every key, and the proxy only the key of its role.
  const { AWS_ENDPOINT_URL: AWS_ENDPOINT_URL_ECS, ...keys } = front.environment('test', 'test');
  Object.assign(process.env, keys, { AWS_ENDPOINT_URL_ECS });

  const { revisions, history, templates, services } = createReleasePorts();
  const vault = { find: async (_: string, name: string) => (name === 'gone' ? undefined : `arn:secret:${name}`) };
  const ports: RollingPorts = portsWith(emulated.ports, { revisions, history, templates, services, vault });

  const blueprintOf = (id: string, agent: string) =>
    arnOf(
      families.register(
        {
          family: `blueprint-${id}`,
          taskRoleArn: 'arn:aws:iam::000000000000:role/worker',
          containerDefinitions: [container('agent', { A: agent }), container('worker', {})],
        },
        {},
      ),
    );

  /**
   * Deploys an endpoint.
   * @param desired number of workers that its service runs
   */
  async function deploy(id: string, desired: number) {
    const family = `Endpoint-${id}`;
    const template = `t-${id}`;
    const blueprint = blueprintOf(id, 'one');
    await templates.create(templateOf({ id: template, name: template, imageName: 'image:1', owner: OWNER }));
    await templates.associate(template, id);
    const owner = OWNER;
    await first(ports, { endpoint: id, family, blueprint, template, owner });
    const config = await emulated.deploy(id, { family, blueprint, template, owner, minWorkers: desired });
    const newest = families.find(family);
    if (!newest) throw new Error(`${family} has no revision.`);
    const fleet = smallEcs(desired, {
      service: {
        name: id,
        serviceName: id,
        taskDefinition: runnable(newest),
        deploymentConfiguration: {
          minimumHealthyPercent: 100,
          maximumPercent: 200,
          circuitBreaker: { enable: true, rollback: true },
        },
      },
    });
    const { service } = fleet;
    running.set(serviceArn(cluster, id), service);
    await ports.endpoints.setDesired(id, undefined, desired);
    await release(ports, id);
    let seen = fleet.events.length;
    const now = () => emulated.clock.now();

    /** Handles the deployment events of ECS since the last call. */
    async function hear(by = ports): Promise<void> {
      const events = fleet.events.slice(seen);
      seen = fleet.events.length;
      for (const event of events) {
        emulated.clock.advance(1);
        const updatedAt = new Date(now()).toISOString();
        const detail = { ...event.detail, updatedAt };
        await observe(by, workerEventFrom({ ...event, time: updatedAt, detail }));
      }
    }

    const numbers = () => fleet.tasks.map(({ taskDefinition }) => numberOf(taskDefinition.arn));
    const taskChanges = async (worker: string, revision: number, differences: Partial<TaskEvent>, by = ports) => {
      emulated.clock.advance(1);
      return observe(by, taskEvent({ service: id, worker, revision, at: now(), ...differences }));
    };
    const beat = (worker: string, revision: number, readySince: number | null, unprotected?: 'WORKS') =>
      ports.workers.beat({
        endpoint: id,
        worker,
        jobs: [],
        revision,
        readySince,
        unprotected,
        endsAt: now() + LEASE,
        removeAfter: 1,
      });

    const handle = {
      id,
      template,
      config,
      fleet,
      numbers,
      hear,
      beat,
      taskChanges,
      blueprint: (agent: string) => blueprintOf(id, agent),

      /** Changes the template as its owner. */
      async edit(edit: Edit): Promise<void> {
        const before = await templates.read(template);
        if (!before) throw new Error(`There is no template ${template}.`);
        await templates.replace(before, edited(before, edit, now()));
      },
      /** Changes the template and rolls it out, with the events of ECS. */
      async update(edit: Edit, by = ports): Promise<void> {
        await handle.edit(edit);
        await rollout(by, [template]);
        await hear(by);
      },
      /** Makes a task of the service healthy and its worker ready. */
      async ready(number = fleet.tasks.length - 1, by = ports): Promise<void> {
        const revision = numbers()[number] ?? 0;
        emulated.clock.advance(1);
        await beat(`w${number}`, revision, now());
        fleet.tasks[number]?.run();
        await taskChanges(
          `w${number}`,
          revision,
          { lastStatus: 'RUNNING', desiredStatus: 'RUNNING', stopCode: undefined },
          by,
        );
        await hear(by);
      },
      /** Stops a task of the service before its container has requested a job. */
      async exits(number = fleet.tasks.length - 1, by = ports): Promise<void> {
        const worker = `w${number}`;
        const revision = numbers()[number] ?? 0;
        await beat(worker, revision, null);
        fleet.tasks[number]?.run('UNKNOWN');
        fleet.tasks[number]?.end('exit code 1');
        await fleet.clock.pass(60_000);
        const containers = [{ name: 'worker', exitCode: 1 }];
        await taskChanges(worker, revision, { stopCode: 'EssentialContainerExited', containers }, by);
        await hear(by);
      },
      /** Makes the image pull of the newest task fail. */
      async cannotPull(number = fleet.tasks.length - 1, by = ports): Promise<void> {
        fleet.tasks[number]?.end('no image');
        await fleet.clock.pass(60_000);
        const stoppedReason = 'CannotPullContainerError: image:2 not found';
        const failure = { stopCode: 'TaskFailedToStart', stoppedReason, startedAt: undefined };
        await taskChanges(`w${number}`, numbers()[number] ?? 0, failure, by);
        await hear(by);
      },

      release: async () => (await ports.endpoints.readNow(id))?.release,
      /** @returns the number of the revision that the service runs or is updated to */
      runs: () => numberOf(service.deployments()[0]?.taskDefinition.arn ?? ''),
      active: () => families.list(family).flatMap(({ status, revision }) => (status === 'ACTIVE' ? [revision] : [])),
      imageOf: (revision: number) =>
        families.find(`${family}:${revision}`)?.registration.containerDefinitions[1]?.image,
      async history(): Promise<string[]> {
        const all: KeyedRelease[] = [];
        for await (const each of history.list(id)) all.push(each);
        return all.map(({ record: { revision, version, state } }) => `${revision ?? '-'} v${version} ${state}`);
      },
      /** @returns why the last release was rolled back */
      reason: async () => (await ports.endpoints.readNow(id))?.release?.refused?.reason,
    };
    return handle;
  }

  return { ports, deploy, stop: () => front.stop() };
}

export type RollingServices = Awaited<ReturnType<typeof startRollingServices>>;
export type RollingEndpoint = Awaited<ReturnType<RollingServices['deploy']>>;
