/**
 * Tests `npm start` as a process with a small assembly: its output, and what it leaves behind. A start takes a
 * second of processor time. Starts in the shared state directory follow each other, and each serves several tests.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { GetQueueAttributesCommand, QueueDoesNotExist, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Template } from '../../packages/emulator/cloudformation/template.ts';
import { freePort } from '../../packages/emulator/network/ports.ts';
import { endMarkedProcesses } from '../../packages/emulator/state/processes.ts';
import { eventually, newFolder, writeAssembly } from '../../packages/emulator/test/small-service.ts';
import { processesThatCarry, readOfProcess } from '../runner/processes.ts';
import { startStopwatch } from '../runner/stopwatch.ts';
import { operatorSettings } from './operator.ts';

const LIMIT = 30_000;

/**
 * A stack with a queue, a table, and a service with one worker. The image must be in the list of local images, so it
 * is a real one.
 */
const stack = (): Template => ({
  Resources: {
    Queue: { Type: 'AWS::SQS::Queue' },
    Table: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
      },
    },
    Task: {
      Type: 'AWS::ECS::TaskDefinition',
      Properties: {
        Family: 'test',
        TaskRoleArn: 'arn:aws:iam::000000000000:role/test',
        ContainerDefinitions: [
          {
            Name: 'worker',
            Image: 'gpu-endpoints/example-echo',
            Environment: [
              { Name: 'AGENT_PORT', Value: '8080' },
              { Name: 'ENDPOINT_ID', Value: 'test' },
            ],
          },
        ],
      },
    },
    Service: {
      Type: 'AWS::ECS::Service',
      Properties: { Cluster: 'fleet', TaskDefinition: { Ref: 'Task' } },
    },
  },
  Outputs: { Queue: { Value: { Ref: 'Queue' } }, Table: { Value: { Ref: 'Table' } } },
});

/** A stack with a table of keys, and a role with a policy. */
const platform: Template = {
  Resources: {
    Keys: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        AttributeDefinitions: [{ AttributeName: 'hash', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'hash', KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
      },
    },
    Role: { Type: 'AWS::IAM::Role', Properties: {} },
    Policy: {
      Type: 'AWS::IAM::Policy',
      Properties: {
        PolicyName: 'policy',
        PolicyDocument: {
          Version: '2012-10-17',
          Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }],
        },
        Roles: [{ Ref: 'Role' }],
      },
    },
  },
  Outputs: { KeysTable: { Value: { Ref: 'Keys' } } },
};

/** Folder of a started service, and its state directory. */
interface Place {
  readonly folder: string;
  readonly stateDir: string;
}

interface Run extends Place {
  readonly child: ChildProcess;
  readonly port: number;
  printed(): string;
}

const started: Run[] = [];

afterAll(async () => {
  for (const { child } of started) child.kill('SIGKILL');
  await Promise.all(started.map(({ stateDir }) => endMarkedProcesses(stateDir)));
});

function newPlace(): Place {
  const folder = newFolder();
  return { folder, stateDir: join(folder, 'state') };
}

async function launch(
  place: Place,
  stacks: Readonly<Record<string, Template>> = { 'Endpoint-small': stack() },
  { args = [], port, env }: { args?: readonly string[]; port?: number; env?: Record<string, string> } = {},
): Promise<Run> {
  const assembly = writeAssembly(join(place.folder, 'assembly'), stacks);
  const used = port ?? (await freePort());
  const child = spawn(process.execPath, ['bin/start/main.mjs', '--assembly', assembly, ...args], {
    env: { ...process.env, PORT: String(used), LOCAL_STATE_DIR: place.stateDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  const run = { ...place, child, port: used, printed: () => text };
  started.push(run);
  return run;
}

const outputsFile = ({ stateDir }: Place) => join(stateDir, 'outputs.json');
const outputs = (place: Place) =>
  JSON.parse(readFileSync(outputsFile(place), 'utf8')) as Partial<Record<string, Record<string, string>>>;

async function startReady(...given: Parameters<typeof launch>): Promise<Run> {
  const run = await launch(...given);
  const isOver = () => run.printed().includes('stops everything.') || run.child.exitCode !== null;
  await eventually('npm start is ready', isOver, LIMIT);
  expect(run.printed()).toContain('Ready.');
  return run;
}

/**
 * Waits until the process exits by itself.
 * @returns its output and exit code
 */
async function ended({ child, printed }: Run) {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return { code: child.exitCode, printed: printed() };
}

/** Returns the ids of the processes that have the state directory in their environment. */
function processes({ stateDir }: Place): number[] {
  return processesThatCarry(`=${stateDir}#`);
}

/** Returns the id of the run's process whose command line contains this string. */
const processOf = (run: Run, command: string) =>
  processes(run).find((pid) => readOfProcess(pid, 'cmdline').includes(command)) ?? 0;

/** Waits for the emulators, their table server, the worker, and the process that runs the worker's jobs. */
const allRun = (run: Run) => eventually('all processes run', () => processes(run).length === 4, LIMIT);

const onlyOnce = <Value>(act: () => Promise<Value>): (() => Promise<Value>) => {
  let begun: Promise<Value> | undefined;
  return () => {
    begun ??= act();
    return begun;
  };
};

const shared = newPlace();
const callLog = join(shared.folder, 'calls.jsonl');
const permissionsFile = join(shared.folder, 'permissions.json');
const both = { Platform: platform, 'Endpoint-small': stack() };

const first = onlyOnce(() => {
  const env = {
    LOCAL_CALL_LOG: callLog,
    LOCAL_PERMISSIONS_FILE: permissionsFile,
    // The user's own AWS configuration must not affect the commands.
    AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
  };
  return startReady(shared, both, { env });
});
/** Stops the first run with Ctrl-C. */
const firstEnd = onlyOnce(async () => {
  const run = await first();
  const written = outputs(run);
  const { mode } = statSync(outputsFile(run));
  const stopwatch = startStopwatch();
  run.child.kill('SIGINT');
  const { code } = await ended(run);
  const took = stopwatch.milliseconds();
  stopwatch.stop();
  return { written, mode, code, took, left: processes(run) };
});
/** Starts a run without the queue, in which the service is replaced by one without workers. */
const second = onlyOnce(async () => {
  await firstEnd();
  const { Queue, Service, ...others } = stack().Resources;
  const Properties = { Cluster: 'fleet', TaskDefinition: { Ref: 'Task' }, DesiredCount: 0 };
  const Idle = { Type: 'AWS::ECS::Service', Properties };
  return startReady(shared, { Platform: platform, 'Endpoint-small': { Resources: { ...others, Idle } } });
});
const third = onlyOnce(async () => {
  const before = await second();
  before.child.kill('SIGINT');
  await ended(before);
  return startReady(shared, both);
});
/** Kills the third run while its emulators are stopped, so that they cannot end its processes. */
const thirdEnd = onlyOnce(async () => {
  const run = await third();
  const queue = outputs(run)['Endpoint-small']?.Queue;
  await allRun(run);
  const left = processes(run);
  process.kill(processOf(run, 'emulators-process'), 'SIGSTOP');
  run.child.kill('SIGKILL');
  await ended(run);
  return { queue, left };
});
const fourth = onlyOnce(async () => {
  await thirdEnd();
  return startReady(shared, both);
});
/** Kills the emulators of the fourth run. */
const fourthEnd = onlyOnce(async () => {
  const run = await fourth();
  process.kill(processOf(run, 'dynoxide'), 'SIGKILL');
  return { ...(await ended(run)), left: processes(run) };
});
const fifth = onlyOnce(async () => {
  await fourthEnd();
  return startReady(shared, both);
});

describe('npm start', () => {
  it('prints its steps, and writes the outputs when it is ready', async () => {
    const run = await first();
    expect(run.printed()).toMatch(
      /s {2}Deploying Endpoint-small \.\.\.\n +[\d.]+ s {2}Starting 1 worker of Endpoint-small \.\.\./,
    );
    expect(outputs(run)).toMatchObject({
      'Endpoint-small': {
        Queue: expect.stringContaining('/000000000000/Endpoint-small-Queue'),
        Table: 'Endpoint-small-Table',
      },
      Platform: { ConsoleUrl: `http://127.0.0.1:${run.port}/` },
    });
    expect((await fetch(`http://127.0.0.1:${run.port}/`)).status).toBe(200);
    await allRun(run);

    const { code, took, left } = await firstEnd();
    expect(code).toBe(0);
    expect(took).toBeLessThan(5_000);
    expect(left).toEqual([]);
    expect(existsSync(outputsFile(run))).toBe(false);
  });

  it('is ready without workers, and prints that it starts them on demand', async () => {
    const run = await second();
    expect(run.printed()).toMatch(/\nWorkers +small, 0 workers now, started on demand\n/);
    const page = await (await fetch(`http://127.0.0.1:${run.port}/`)).text();
    expect(page).toContain('small, 0 workers now, started on demand');
    // The emulators and their table server.
    expect(processes(run)).toHaveLength(2);
  });

  it('deletes queues that are no longer in the templates', async () => {
    const { written } = await firstEnd();
    const { stateDir } = await second();
    const queue = String(written['Endpoint-small']?.Queue);
    const sqs = new SQSClient(operatorSettings(stateDir));
    const read = sqs.send(new GetQueueAttributesCommand({ QueueUrl: queue, AttributeNames: ['All'] }));
    await expect(read).rejects.toThrow(QueueDoesNotExist);
    sqs.destroy();
  });
});

describe('the first API key', () => {
  it('is created once and then stored', async () => {
    const { written, mode } = await firstEnd();
    const key = written.Platform?.ApiKey;
    expect(key).toMatch(/^\S{20,}$/);
    expect((await first()).printed()).toContain(key);
    expect(mode & 0o777).toBe(0o600);
    expect(outputs(await second()).Platform?.ApiKey).toBe(key);
  });
});

describe('the calls of a run', () => {
  it('are logged, and the use of permissions is written, if environment variables name the files', async () => {
    await firstEnd();
    const calls = readFileSync(callLog, 'utf8').trim().split('\n');
    const logged = { role: 'operator', service: 'dynamodb', operation: 'PutItem', status: 200, wru: 1 };
    expect(calls.map((line) => JSON.parse(line) as object)).toContainEqual(expect.objectContaining(logged));
    expect(JSON.parse(readFileSync(permissionsFile, 'utf8'))).toMatchObject({
      'Platform-Role': [{ actions: { 's3:GetObject': { '*': { used: 0, indispensable: false } } } }],
    });
  });
});

describe('a start that fails', () => {
  const expectSentence = async (run: Run, sentence: string) => {
    const { code, printed } = await ended(run);
    expect(printed.split('\n').at(-2)).toBe(sentence);
    expect(printed).not.toMatch(/\n\s+at /);
    expect(code).toBe(1);
    expect(processes(run)).toEqual([]);
  };

  it('prints one sentence if a port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const run = await launch(newPlace(), undefined, { port });
    await expectSentence(
      run,
      `Port ${port} is in use: stop the process that listens there, or choose another port, as in PORT=${port + 1}.`,
    );
    server.close();
  });

  it('prints one sentence if the state directory is in use', async () => {
    const running = await second();
    const { code, printed } = await ended(await launch(running));
    expect([code, printed]).toEqual([
      1,
      `The state directory ${running.stateDir} is in use by process ${running.child.pid}.\n`,
    ]);
    expect(running.child.exitCode).toBeNull();
  });

  it('prints one sentence if a resource cannot run locally', async () => {
    const run = await launch(newPlace(), { Small: { Resources: { Thing: { Type: 'AWS::RDS::DBInstance' } } } });
    const sentence = 'Small/Thing (AWS::RDS::DBInstance) cannot run here: its type is not supported.';
    await expectSentence(run, sentence);
  });

  it('prints one sentence if a folder is not an assembly', async () => {
    const place = newPlace();
    writeFileSync(join(place.folder, 'nothing'), '');
    const run = await launch(place, undefined, { args: ['--assembly', place.folder] });
    await expectSentence(run, `${place.folder} is not a synthesized assembly: it has no manifest.json.`);
  });

  it.each([
    ['LOCAL_CALL_LOG', 'The call log'],
    ['LOCAL_PERMISSIONS_FILE', 'The use of permissions'],
    ['LOCAL_FAULT_LOG', 'The fault log'],
  ])('prints one sentence if the file for %s cannot be written', async (variable, subject) => {
    const place = newPlace();
    const file = join(place.folder, 'nowhere', 'file');
    const run = await launch(place, undefined, { env: { [variable]: file, LOCAL_FAULTS: 'each=0.01' } });
    const { code, printed } = await ended(run);
    expect(printed.split('\n').at(-2)).toContain(`${subject} cannot be written: ENOENT: no such file or directory`);
    expect([code, processes(run)]).toEqual([1, []]);
  });

  it('prints one sentence if a flag is unknown', async () => {
    const run = await launch(newPlace(), undefined, { args: ['--verbose'] });
    await expectSentence(run, "Unknown option '--verbose'; npm start -- --help lists the options.");
  });
});

describe('npm start', () => {
  it('ends the processes that a killed run left behind, and starts', async () => {
    const { queue, left } = await thirdEnd();
    const run = await fourth();
    expect(run.printed()).toContain(`Stopped ${left.length} processes that an earlier run left behind.`);
    expect(processes(run).filter((pid) => left.includes(pid))).toEqual([]);
    // Tasks and messages contain this address, so it must not change.
    expect(outputs(run)['Endpoint-small']?.Queue).toBe(queue);
  });

  it('stops with one sentence when its emulators die', async () => {
    const { code, printed, left } = await fourthEnd();
    expect([code, left]).toEqual([1, []]);
    expect(printed).toContain('The emulators exited; ');
  });

  it('leaves no process behind when it is killed', async () => {
    const run = await fifth();
    run.child.kill('SIGKILL');
    await eventually('no process is left', () => processes(run).length === 0);
  });

  it('can be stopped while it starts', async () => {
    const run = await launch(newPlace());
    const lock = join(run.stateDir, 'running.json');
    await eventually('the start has begun', () => existsSync(lock), LIMIT);
    run.child.kill('SIGTERM');
    expect((await ended(run)).code).toBe(0);
    expect(processes(run)).toEqual([]);
    expect(existsSync(lock)).toBe(false);
  });
});
