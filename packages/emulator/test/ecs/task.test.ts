/** Tests tasks of real processes: each container is a Node.js script of a few lines. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { isAlive } from '../../../../test/runner/processes.ts';
import { startStopwatch } from '../../../../test/runner/stopwatch.ts';
import type { ContainerDefinition } from '../../ecs/definitions.ts';
import type { Host } from '../../ecs/host.ts';
import type { Image } from '../../ecs/images.ts';
import { type MetadataServer, startMetadataServer } from '../../ecs/metadata.ts';
import { rules } from '../../ecs/rules.ts';
import { startTask, type Task } from '../../ecs/task.ts';
import type { EcsEvent, TaskState } from '../../ecs/task-state.ts';
import { endMarkedProcesses, runMark } from '../../state/processes.ts';
import { eventually, newFolder, noAws } from '../small-service.ts';
import { testContainers } from './small-ecs.ts';
import { fakeClock } from './test-clock.ts';

/** Start of each script, which can append events to a file, and runs until it gets SIGTERM. */
const PRELUDE = `
const { appendFileSync, existsSync, writeFileSync } = require('node:fs');
const say = (text) => appendFileSync('said', text + '\\n');
const name = process.argv[2];
process.on('SIGTERM', () => { say(name + ' is asked to end'); if (!existsSync('stubborn-' + name)) process.exit(0); });
say(name + ' starts');
setInterval(() => undefined, 1000);
writeFileSync(name + '.json', JSON.stringify({ pid: process.pid, env: process.env }));
`;

const scripts = {
  agent: `
    require('node:http').createServer((request, response) => {
      response.writeHead(existsSync('sick') ? 500 : 200).end();
    }).listen(process.env.AGENT_PORT, '127.0.0.1', () => say('agent listens'));`,
  worker: '',
  parent: `
    const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
    writeFileSync('child', String(child.pid));`,
};

let folder: string;
let metadata: MetadataServer;
let tasks: Task[];
let events: EcsEvent[];

const cause = rules.stoppedByUser.value;

beforeEach(async () => {
  folder = newFolder();
  mkdirSync(join(folder, 'logs'));
  for (const [name, script] of Object.entries(scripts)) writeFileSync(join(folder, `${name}.cjs`), PRELUDE + script);
  metadata = await startMetadataServer();
  tasks = [];
  events = [];
});

afterEach(async () => {
  await Promise.all(tasks.map((task) => task.stop(cause, 0)));
  await endMarkedProcesses(folder);
  metadata.close();
  rmSync(folder, { recursive: true, force: true });
});

const container = (name: string, rest: Partial<ContainerDefinition> = {}): ContainerDefinition => ({
  name,
  image: `test/${name}`,
  essential: true,
  environment: { AGENT_PORT: '8080', AGENT_URL: 'http://127.0.0.1:8080/v2/e', GREETING: 'hello' },
  dependsOn: [],
  stopTimeout: 5_000,
  ...rest,
});

/** Lets an agent start and answer slowly, as on a busy machine. */
const healthCheck = { interval: 20, timeout: 30_000, startPeriod: 60_000, retries: 3 };
const agent = container('agent', { healthCheck });
const worker = container('worker', { dependsOn: [{ container: 'agent', condition: 'HEALTHY' }] });

const images = new Map<string, Image>(
  Object.keys(scripts).map((name) => [
    `test/${name}`,
    { command: ['node', `${name}.cjs`, name], ...(name === 'agent' && { health: '/health' }) },
  ]),
);

const start = (...containers: ContainerDefinition[]) => startOn({}, ...containers);

function startOn(host: Partial<Host>, ...containers: ContainerDefinition[]): Task {
  const taskDefinition = {
    arn: 'arn:aws:ecs:::task-definition/echo:1',
    family: 'echo',
    role: 'echo-role',
    roleArn: 'arn:aws:iam::000000000000:role/echo-role',
    containers,
  };
  const origin = {
    name: 'echo',
    serviceName: 'echo-Service',
    cluster: 'fleet',
    taskDefinition,
    startedBy: 'ecs-svc/1',
  };
  const task = startTask(origin, {
    containers: testContainers,
    awsEnvironment: noAws,
    metadata,
    folder,
    mark: runMark(folder, process.pid),
    images: () => images,
    logFile: (name) => join(folder, 'logs', `${name}.log`),
    publish: (event) => events.push(event),
    ...host,
  });
  tasks.push(task);
  return task;
}

const said = () =>
  existsSync(join(folder, 'said')) ? readFileSync(join(folder, 'said'), 'utf8').trim().split('\n') : [];
const has = (text: string) => eventually(text, () => said().includes(text));
const report = async (name: string) => {
  const file = join(folder, `${name}.json`);
  await eventually(`${name} has started`, () => existsSync(file) && readFileSync(file, 'utf8').endsWith('}'));
  return JSON.parse(readFileSync(file, 'utf8')) as { pid: number; env: Record<string, string> };
};
const touch = (name: string) => writeFileSync(join(folder, name), '');

describe('a task', () => {
  it('has the variables of its image, unless its definition sets them', async () => {
    const environment = { GREETING: 'from the image', MALLOC_ARENA_MAX: '2' };
    const image: Image = { command: ['node', 'worker.cjs', 'worker'], environment };
    const { ready } = startOn({ images: () => new Map([['test/worker', image]]) }, container('worker'));
    await ready;
    expect((await report('worker')).env).toMatchObject({ GREETING: 'hello', MALLOC_ARENA_MAX: '2' });
  });

  it('reports its log files when it has stopped', async () => {
    const ended: string[] = [];
    const task = startOn({ logsEnded: (files) => ended.push(...files) }, agent, worker);
    await task.ready;
    expect(ended).toEqual([]);
    await task.stop(cause, 0);
    const name = `echo-${task.id.slice(0, 8)}`;
    expect(ended).toEqual(['agent', 'worker'].map((of) => join(folder, 'logs', `${name}-${of}.log`)));
    expect(ended.every((file) => existsSync(file))).toBe(true);
  });

  it('runs the command of its definition instead of that of its image', async () => {
    const { ready } = start(container('worker', { command: ['node', 'agent.cjs', 'replaced'] }));
    await ready;
    await has('replaced starts');
    start(container('worker', { entryPoint: ['node', 'worker.cjs'], command: ['entered'] }));
    await has('entered starts');
    const empty = start(container('worker', { entryPoint: [], command: [] }));
    expect(await empty.ready).toBe(false);
    expect(await empty.ended).toBe('container worker has an empty command');
  });

  it('starts its containers in order, waits until they are healthy, and stops them in reverse order', async () => {
    const task = start(agent, worker);
    expect(await task.ready).toBe(true);
    await has('worker starts');
    expect(await task.stop(cause, 5_000)).toBe('it was asked to stop');
    expect(said()).toEqual([
      'agent starts',
      'agent listens',
      'worker starts',
      'worker is asked to end',
      'agent is asked to end',
    ]);
  });

  it('passes containers their environment, port, role and identity, but no variable of this process', async () => {
    process.env.SECRET_OF_NPM_START = 'secret';
    const task = startOn({ compileCache: join(folder, 'compiled') }, agent, worker);
    await task.ready;
    const [first, second] = [await report('agent'), await report('worker')];
    expect(first.env.AGENT_PORT).not.toBe('8080');
    expect(first.env.AGENT_URL).toBe(`http://127.0.0.1:${first.env.AGENT_PORT}/v2/e`);
    expect(first.env.AGENT_PORT).toBe(second.env.AGENT_PORT);
    expect(second.env).toMatchObject({
      GREETING: 'hello',
      AWS_ACCESS_KEY_ID: 'echo-role',
      AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
    });
    expect(second.env).not.toHaveProperty('SECRET_OF_NPM_START');
    expect(second.env.ECS_AGENT_URI).toBe(metadata.agentAddress(task.id));

    const address = String(second.env.ECS_CONTAINER_METADATA_URI_V4);
    expect(await (await fetch(`${address}/task`)).json()).toMatchObject({
      Cluster: 'fleet',
      TaskARN: expect.stringMatching(/:task\/fleet\/[0-9a-f]{32}$/),
      KnownStatus: 'RUNNING',
    });
    expect(await (await fetch(address)).json()).toEqual({
      Name: 'worker',
      Image: 'test/worker',
      KnownStatus: 'RUNNING',
    });
  });

  it('stops when an essential container exits', async () => {
    const task = start(agent, worker);
    await task.ready;
    process.kill((await report('worker')).pid, 'SIGKILL');
    expect(await task.ended).toBe('container worker exited with signal SIGKILL');
    expect(said().at(-1)).toBe('agent is asked to end');
    expect(task.state()).toMatchObject({
      stopCode: 'EssentialContainerExited',
      stoppedReason: 'Essential container in task exited',
      containers: [
        { name: 'agent', lastStatus: 'STOPPED', exitCode: 0 },
        { name: 'worker', lastStatus: 'STOPPED', exitCode: 137 },
      ],
    });
  });

  it('names the container that has exited while the others are still asked to end', async () => {
    writeFileSync(join(folder, 'stubborn-agent'), '');
    const task = start(agent, worker);
    await task.ready;
    const { env, pid } = await report('worker');
    process.kill(pid, 'SIGKILL');
    const container = `${env.ECS_CONTAINER_METADATA_URI_V4}`;
    const read = async () => (await (await fetch(container)).json()) as { readonly KnownStatus: string };
    await eventually('the worker is known to have exited', async () => (await read()).KnownStatus === 'STOPPED');
    await eventually('the agent is asked to end', async () => said().at(-1) === 'agent is asked to end');
    expect(task.state().lastStatus).toBe('STOPPING');
    process.kill((await report('agent')).pid, 'SIGKILL');
    await task.ended;
  });

  it('keeps running when a container that is not essential exits', async () => {
    const task = start(agent, { ...worker, essential: false });
    await task.ready;
    const { pid } = await report('worker');
    process.kill(pid, 'SIGKILL');
    await eventually('the process has been reaped', () => !existsSync(`/proc/${pid}`));
    expect(await task.stop(cause, 5_000)).toBe('it was asked to stop');
  });

  it('stops when its agent becomes unhealthy', async () => {
    const task = start(agent, worker);
    await task.ready;
    touch('sick');
    expect(await task.ended).toBe('container agent became unhealthy');
    expect(task.state()).toMatchObject({
      stopCode: 'ServiceSchedulerInitiated',
      stoppedReason: 'Task failed container health checks',
      containers: [{ healthStatus: 'UNHEALTHY' }, { healthStatus: 'UNKNOWN' }],
    });
  });

  it('stops when its agent does not become healthy', async () => {
    touch('sick');
    const task = start({ ...agent, healthCheck: { ...healthCheck, startPeriod: 100 } }, worker);
    expect(await task.ready).toBe(false);
    expect(await task.ended).toBe('container agent did not become healthy');
    expect(said()).not.toContain('worker starts');
  });

  it('has its own port for a server that its agent calls', async () => {
    const called = [agent, worker].map((one) => ({ ...one, environment: { ...one.environment, PORT: '8000' } }));
    await start(...called).ready;
    const [first, second] = [await report('agent'), await report('worker')];
    expect(first.env.PORT).toBe(second.env.PORT);
    expect(['8000', first.env.AGENT_PORT]).not.toContain(first.env.PORT);
  });

  it('passes a PORT that only one container sets to that container unchanged', async () => {
    await start(agent, { ...worker, environment: { ...worker.environment, PORT: '8000' } }).ready;
    expect((await report('worker')).env.PORT).toBe('8000');
    expect((await report('agent')).env).not.toHaveProperty('PORT');
  });

  it('kills containers that do not exit within the limit for all containers', async () => {
    touch('stubborn-agent');
    touch('stubborn-worker');
    const task = start(agent, worker);
    await task.ready;
    const pids = [(await report('agent')).pid, (await report('worker')).pid];
    const stopwatch = startStopwatch();
    await task.stop(cause, 3_000);
    // A limit for each container would be twice as long.
    expect(stopwatch.milliseconds()).toBeLessThan(5_000);
    stopwatch.stop();
    expect(pids.filter(isAlive)).toEqual([]);
    expect(said()).toContain('agent is asked to end');
  });

  it('kills the child processes of its containers when it stops', async () => {
    const task = start(container('parent'));
    // The file is empty for a moment after its creation.
    const childIn = () => Number(existsSync(join(folder, 'child')) && readFileSync(join(folder, 'child'), 'utf8'));
    await eventually('the child has started', () => childIn() > 0);
    const child = childIn();
    expect(isAlive(child)).toBe(true);
    await task.stop(cause, 5_000);
    await eventually('the child has exited', () => !isAlive(child));
  });

  it('stops if it is stopped during its start', async () => {
    touch('sick');
    const task = start(agent, worker);
    await has('agent listens');
    await task.stop(cause, 1_000);
    expect(await task.ready).toBe(false);
    expect(said()).not.toContain('worker starts');
  });

  it('cannot start with an image that is in no list', async () => {
    const task = start(agent, { ...worker, image: 'team/model:1' });
    expect(await task.ended).toBe(
      'image team/model:1 cannot be pulled, because no list of images has it: add a command for it to the file in LOCAL_IMAGES',
    );
    expect(task.state()).toMatchObject({
      stopCode: 'TaskFailedToStart',
      stoppedReason: expect.stringMatching(/^CannotPullContainerError: image team/),
    });
    expect(said()).toEqual([]);
  });

  it('fails to start if its program does not exist', async () => {
    const missing = new Map([...images, ['test/worker', { command: ['no-such-program'] }] as const]);
    const task = startOn({ images: () => missing }, container('worker'));
    expect(await task.ended).toBe('container worker exited with spawn no-such-program ENOENT');
    expect(task.state()).toMatchObject({
      stopCode: 'TaskFailedToStart',
      stoppedReason: 'CannotStartContainerError: spawn no-such-program ENOENT',
      containers: [{ reason: 'spawn no-such-program ENOENT' }],
    });
    expect(task.state().containers[0]).not.toHaveProperty('exitCode');
  });

  it('can get a shorter time limit while it stops, without another SIGTERM for its containers', async () => {
    touch('stubborn-worker');
    const task = start(agent, { ...worker, stopTimeout: 100_000 });
    await task.ready;
    await report('worker');
    const ended = task.stop(cause);
    await has('worker is asked to end');
    const stopwatch = startStopwatch();
    await Promise.all([task.stop(cause, 200), ended]);
    expect(stopwatch.milliseconds()).toBeLessThan(30_000);
    stopwatch.stop();
    expect(said().filter((text) => text === 'worker is asked to end')).toHaveLength(1);
  });

  it('publishes an event for every change of its status', async () => {
    const task = start(agent, worker);
    await task.ready;
    await report('worker');
    await task.stop({ stopCode: 'UserInitiated', stoppedReason: 'enough' });
    const details = events.map(({ detail }) => detail as TaskState);
    const statuses = details.map(({ lastStatus, desiredStatus, containers }) => [
      lastStatus,
      desiredStatus,
      ...containers.map((its) => its.lastStatus),
    ]);
    const changes = statuses.filter((status, at) => JSON.stringify(status) !== JSON.stringify(statuses[at - 1]));
    expect(changes).toEqual([
      ['PROVISIONING', 'RUNNING', 'PENDING', 'PENDING'],
      ['PENDING', 'RUNNING', 'PENDING', 'PENDING'],
      ['PENDING', 'RUNNING', 'RUNNING', 'PENDING'],
      ['PENDING', 'RUNNING', 'RUNNING', 'RUNNING'],
      ['RUNNING', 'RUNNING', 'RUNNING', 'RUNNING'],
      ['STOPPING', 'STOPPED', 'RUNNING', 'RUNNING'],
      ['STOPPING', 'STOPPED', 'RUNNING', 'STOPPED'],
      ['STOPPING', 'STOPPED', 'STOPPED', 'STOPPED'],
      ['DEPROVISIONING', 'STOPPED', 'STOPPED', 'STOPPED'],
      ['STOPPED', 'STOPPED', 'STOPPED', 'STOPPED'],
    ]);
    expect(details.map(({ version }) => version)).toEqual(details.map((_, at) => at + 1));
    expect(events.at(-1)).toEqual({
      source: 'aws.ecs',
      'detail-type': 'ECS Task State Change',
      resources: [task.state().taskArn],
      detail: expect.objectContaining({
        clusterArn: 'arn:aws:ecs:us-east-1:000000000000:cluster/fleet',
        taskArn: expect.stringMatching(/^arn:aws:ecs:us-east-1:000000000000:task\/fleet\/[0-9a-f]{32}$/),
        group: 'service:echo-Service',
        stopCode: 'UserInitiated',
        stoppedReason: 'enough',
        createdAt: expect.stringMatching(/^2\d{3}-.*Z$/),
        startedAt: expect.any(String),
        stoppingAt: expect.any(String),
        stoppedAt: expect.any(String),
      }),
    });
  });
});

describe('a container with a restart policy', () => {
  const restartPolicy = { ignoredExitCodes: [137], attemptPeriod: 60_000 };
  const starts = () => said().filter((text) => text === 'worker starts').length;

  /**
   * Starts a task of one worker container.
   * @returns the task with its clock
   */
  async function restartable() {
    const clock = fakeClock();
    const task = startOn({ clock }, container('worker', { restartPolicy }));
    await task.ready;
    return { task, clock, first: await report('worker') };
  }

  it('is restarted after it has run for the period of its policy', async () => {
    const { task, clock, first } = await restartable();
    await clock.pass(60_000);
    process.kill(first.pid, 'SIGTERM');
    await eventually('the worker has started again', () => starts() === 2);
    expect(task.state()).toMatchObject({ desiredStatus: 'RUNNING', containers: [{ lastStatus: 'RUNNING' }] });
    const address = String(first.env.ECS_CONTAINER_METADATA_URI_V4);
    expect(await (await fetch(address)).json()).toMatchObject({ RestartCount: 1 });
    await eventually('another process has written its report', async () => (await report('worker')).pid !== first.pid);
    await clock.pass(60_000);
    await task.stop(cause);
    expect(task.state()).toMatchObject({ lastStatus: 'STOPPED', containers: [{ lastStatus: 'STOPPED', exitCode: 0 }] });
    expect(starts()).toBe(2);
  });

  it('is not restarted when its machine is lost', async () => {
    const { task, clock } = await restartable();
    await clock.pass(60_000);
    task.crash();
    expect(await task.ended).toBe('its machine was lost');
    expect(task.state()).toMatchObject({ stopCode: 'EssentialContainerExited', containers: [{ exitCode: 137 }] });
    expect(starts()).toBe(1);
  });

  it('is not restarted if it has run for a shorter time than the period of its policy', async () => {
    const { task, clock, first } = await restartable();
    await clock.pass(59_999);
    process.kill(first.pid, 'SIGTERM');
    expect(await task.ended).toBe('container worker exited with exit code 0');
    expect(starts()).toBe(1);
  });

  it('is not restarted after it has exited with an ignored exit code', async () => {
    const { task, clock, first } = await restartable();
    await clock.pass(60_000);
    process.kill(first.pid, 'SIGKILL');
    expect(await task.ended).toBe('container worker exited with signal SIGKILL');
    expect(starts()).toBe(1);
  });
});
