/**
 * Tests services behind a load balancer. Tasks are processes of a few lines, and requests pass through the
 * listener.
 */

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Clock } from '../../ecs/clock.ts';
import { type Ecs, startEcs } from '../../ecs/ecs.ts';
import type { Image } from '../../ecs/images.ts';
import { type EcsDefinitions, noServices } from '../../ecs/registry.ts';
import type { Service } from '../../ecs/service.ts';
import type { EcsEvent } from '../../ecs/task-state.ts';
import { createListener, type Listener } from '../../load-balancer/load-balancer.ts';
import { createTargetGroup, type TargetGroupDefinition } from '../../load-balancer/target-group.ts';
import { endMarkedProcesses, runMark } from '../../state/processes.ts';
import { forwarded, textOf } from '../load-balancer/small-target.ts';
import { eventually, newFolder, noAws } from '../small-service.ts';
import { definition, revision, testContainers } from './small-ecs.ts';
import { fakeClock } from './test-clock.ts';

/**
 * A server that responds with the id of its process, and to `/wait` only after a file named `release` exists. Files
 * make it unhealthy in its own health check or in that of the load balancer. It logs its events.
 */
const script = `
const { appendFileSync, existsSync } = require('node:fs');
const say = (text) => appendFileSync('said', process.pid + ' ' + text + '\\n');
const { GATEWAY_PORT } = process.env;
const server = require('node:http').createServer((request, response) => {
  const isOfBalancer = (request.headers['user-agent'] ?? '').startsWith('ELB');
  if (request.url === '/health')
    return response.writeHead(existsSync(isOfBalancer ? 'sick' : 'starting') ? 500 : 200).end();
  if (request.url !== '/wait') return response.end(String(process.pid));
  say('waits');
  const timer = setInterval(() => {
    if (!existsSync('release')) return;
    clearInterval(timer);
    response.end(String(process.pid));
  }, 5);
});
process.on('SIGTERM', () => { say('SIGTERM'); process.exit(0); });
server.listen(GATEWAY_PORT, '127.0.0.1', () => say('listens'));
`;

const image: Image = {
  command: ['node', 'ingress.cjs'],
  health: '/health',
  ports: { 8080: 'GATEWAY_PORT', 8081: 'DIRECT_PORT' },
};

let folder: string;
let definitions: EcsDefinitions;
let ecs: Ecs | undefined;
let listener: Listener;
let events: EcsEvent[];

beforeEach(() => {
  folder = newFolder();
  writeFileSync(join(folder, 'ingress.cjs'), script);
  definitions = noServices();
  events = [];
});

afterEach(async () => {
  await ecs?.stop(0);
  await endMarkedProcesses(folder);
  rmSync(folder, { recursive: true, force: true });
  ecs = undefined;
});

const release = (number: number, rest: object = {}) => {
  const { containers, ...task } = revision(number);
  return { ...task, containers: containers.map((its) => ({ ...its, image: 'ingress', ports: [8080, 8081], ...rest })) };
};

interface Options {
  readonly group?: Partial<TargetGroupDefinition>;
  readonly clock?: Clock;
  readonly container?: object;
  readonly grace?: number;
  readonly image?: Image;
}

async function start({
  group: its,
  clock,
  container,
  grace = 0,
  image: other = image,
}: Options = {}): Promise<Service> {
  const check = {
    path: '/health',
    interval: 20,
    // On a busy machine, a late response must not make a target unhealthy.
    timeout: 60_000,
    healthyThreshold: 2,
    unhealthyThreshold: 2,
    statuses: '200',
  };
  const group = createTargetGroup(
    { arn: 'group', check, deregistrationDelay: 360_000, algorithm: 'round_robin', ...its },
    clock,
  );
  listener = createListener({ idleTimeout: 60_000 }, 8080, group);
  const targets = [{ container: 'agent', port: 8080, group }];
  const service = {
    ...definition,
    name: 'Platform',
    taskDefinition: release(1, container),
    targets,
    healthCheckGrace: grace,
  };
  definitions.services.push(service);
  definitions.memory.declare(service);
  ecs = await startEcs({
    definitions,
    host: {
      containers: testContainers,
      awsEnvironment: noAws,
      logFile: (name) => join(folder, `${name}.log`),
      mark: runMark(folder, process.pid),
      folder,
      images: () => new Map([['ingress', other]]),
      publish: (event) => void events.push(event),
      ...(clock && { clock }),
    },
    notify: () => undefined,
  });
  const [running] = definitions.running.values();
  return running as Service;
}

const said = () =>
  existsSync(join(folder, 'said')) ? readFileSync(join(folder, 'said'), 'utf8').trim().split('\n') : [];
const has = (text: string) => eventually(text, () => said().some((line) => line.endsWith(text)));
const ask = async (url = '/') => {
  const answered = await listener.forward(forwarded({ url }));
  return { status: answered.status, text: await textOf(answered).catch(() => 'cut') };
};
const put = (file: string) => writeFileSync(join(folder, file), '');
const remove = (file: string) => rmSync(join(folder, file));
const states = (task: string) =>
  events.flatMap(({ detail }) => {
    const { taskArn, lastStatus } = detail as { taskArn?: string; lastStatus?: string };
    return taskArn?.endsWith(task) && lastStatus ? [lastStatus] : [];
  });

describe('a service behind a load balancer', () => {
  it('registers a task when it runs and its own health check has passed', async () => {
    put('starting');
    const service = await start();
    await has('listens');
    const [task] = service.tasks();
    await eventually('the task runs', () => task?.state().lastStatus === 'RUNNING');
    expect([(await ask()).status, task?.traffic()]).toEqual([503, 'waiting']);
    remove('starting');
    await ecs?.settled;
    expect([(await ask()).status, task?.traffic()]).toEqual([200, 'healthy']);
  });

  it('is stable when its targets are healthy and its deployment is complete', async () => {
    put('sick');
    const service = await start({ grace: 600_000 });
    let isSettled = false;
    const settled = ecs?.settled.then(() => {
      isSettled = true;
    });
    const isChecked = () => service.tasks()[0]?.state().containers[0]?.healthStatus === 'HEALTHY';
    await eventually('the container is healthy', isChecked);
    expect([isSettled, service.deployments()[0]?.rolloutState]).toEqual([false, 'IN_PROGRESS']);
    remove('sick');
    await settled;
    expect(service.deployments()[0]?.rolloutState).toBe('COMPLETED');
  });

  it('stops the old task of a deployment only when the target of the new one is healthy', async () => {
    const service = await start({ grace: 600_000 });
    await ecs?.settled;
    const before = (await ask()).text;
    put('sick');
    service.update({ taskDefinition: release(2) });
    const [, fresh] = service.tasks();
    await eventually('the new task runs', () => fresh?.state().containers[0]?.healthStatus === 'HEALTHY');
    expect([service.deployments().length, said().filter((line) => line.endsWith('SIGTERM'))]).toEqual([2, []]);
    remove('sick');
    await has('SIGTERM');
    expect(said()).toContain(`${before} SIGTERM`);
    const { status, text } = await ask();
    expect([status, text === before]).toEqual([200, false]);
  });

  it('sends SIGTERM to a draining task when its requests have ended', async () => {
    const service = await start();
    await ecs?.settled;
    const waiting = ask('/wait');
    await has('waits');
    const [task] = service.tasks();
    service.update({ desiredCount: 0 });
    expect(task?.state()).toMatchObject({ lastStatus: 'DEACTIVATING', desiredStatus: 'STOPPED' });
    expect((await ask()).status).toBe(503);
    expect(said()).not.toContainEqual(expect.stringContaining('SIGTERM'));
    put('release');
    expect((await waiting).status).toBe(200);
    await task?.ended;
    expect(said().at(-1)).toContain('SIGTERM');
    expect(states(task?.id ?? '').slice(-5)).toEqual([
      'DEACTIVATING',
      'STOPPING',
      'STOPPING',
      'DEPROVISIONING',
      'STOPPED',
    ]);
  });

  it('sends SIGTERM to a draining task after the deregistration delay', async () => {
    const clock = fakeClock();
    const service = await start({ clock });
    await ecs?.settled;
    const waiting = ask('/wait');
    await has('waits');
    const [task] = service.tasks();
    service.update({ desiredCount: 0 });
    await clock.pass(359_999);
    expect(task?.state().lastStatus).toBe('DEACTIVATING');
    await clock.pass(1);
    await task?.ended;
    expect((await waiting).status).toBe(502);
  });

  it('waits for requests no longer than the time limit of its stop', async () => {
    await start();
    await ecs?.settled;
    const waiting = ask('/wait');
    await has('waits');
    await ecs?.stop(1_000);
    expect((await waiting).status).toBe(502);
    expect(said().at(-1)).toContain('SIGTERM');
  });

  it.each(['is lost', 'is killed'])('replaces a task that %s, whose requests fail', async (how) => {
    const service = await start();
    await ecs?.settled;
    const before = (await ask()).text;
    const waiting = ask('/wait');
    await has('waits');
    if (how === 'is lost') ecs?.lose(service.tasks()[0]?.id ?? '');
    else process.kill(Number(before), 'SIGKILL');
    expect((await waiting).status).toBe(502);
    expect(said()).not.toContainEqual(expect.stringContaining('SIGTERM'));
    await eventually('another task answers', async () => (await ask()).status === 200);
    expect((await ask()).text).not.toBe(before);
  });

  it('replaces a task whose target has become unhealthy', async () => {
    const service = await start();
    await ecs?.settled;
    put('sick');
    const [task] = service.tasks();
    await task?.ended;
    expect(task?.state()).toMatchObject({
      stopCode: 'ServiceSchedulerInitiated',
      stoppedReason: 'Task failed ELB health checks',
    });
    remove('sick');
    await eventually('another task answers', async () => (await ask()).status === 200);
  });

  it('does not stop a task with an unhealthy target until the grace period is over', async () => {
    const clock = fakeClock();
    put('sick');
    const service = await start({ clock, grace: 60_000, group: { deregistrationDelay: 0 } });
    const [task] = service.tasks();
    await eventually('the container is healthy', () => task?.state().containers[0]?.healthStatus === 'HEALTHY');
    await clock.pass(59_999);
    await eventually('the target is unhealthy', () => clock.sleeps.includes(20));
    expect([task?.traffic(), task?.state().desiredStatus]).toEqual(['waiting', 'RUNNING']);
    await clock.pass(1);
    await task?.ended;
    expect(task?.state().stoppedReason).toBe('Task failed ELB health checks');
  });

  it('cannot start a task whose image does not declare the port', async () => {
    const service = await start({
      image: { command: image.command, health: '/health', ports: { 8081: 'GATEWAY_PORT' } },
    });
    await ecs?.settled;
    const [task] = service.tasks();
    expect(await task?.ended).toBe('container agent has port 8080, but the list of images does not name that port');
  });

  it('gives each task its own ports', async () => {
    const service = await start();
    service.update({ desiredCount: 3 });
    await eventually(
      'three tasks serve',
      () => service.tasks().filter((task) => task.traffic() === 'healthy').length === 3,
    );
    const processes = new Set([(await ask()).text, (await ask()).text, (await ask()).text]);
    expect(processes.size).toBe(3);
  });
});
