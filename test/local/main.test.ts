/** `npm start` as a process, with an assembly of a few lines: what it says, and what it leaves behind. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort } from '../../local/ports.ts';
import { endMarkedProcesses } from '../../local/processes.ts';
import type { Template } from '../../local/template.ts';
import { eventually, newFolder, writeAssembly } from './small-service.ts';

const LIMIT = 30_000;

let folder: string;
let stateDir: string;
const started: ChildProcess[] = [];

beforeEach(() => {
  folder = newFolder();
  stateDir = join(folder, 'state');
});
afterEach(async () => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  await endMarkedProcesses(stateDir);
  rmSync(folder, { recursive: true, force: true });
});

/** A queue, and a service whose only task sleeps for a while. The image is a real one, so it has to be in the list. */
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

interface Run {
  readonly child: ChildProcess;
  readonly port: number;
  printed(): string;
}

interface LaunchOptions {
  readonly name?: string;
  readonly args?: readonly string[];
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
}

async function launch(template: Template, { name = 'Small', args = [], port, env }: LaunchOptions = {}): Promise<Run> {
  const assembly = writeAssembly(join(folder, 'assembly'), { [name]: template });
  const used = port ?? (await freePort());
  const child = spawn(process.execPath, ['local/main.ts', '--assembly', assembly, ...args], {
    env: { ...process.env, PORT: String(used), LOCAL_STATE_DIR: stateDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  return { child, port: used, printed: () => text };
}

const outputsFile = () => join(stateDir, 'outputs.json');
const outputs = () =>
  JSON.parse(readFileSync(outputsFile(), 'utf8')) as Partial<Record<string, Record<string, string>>>;

async function startReady(template = stack(), options: LaunchOptions = {}): Promise<Run> {
  const run = await launch(template, options);
  const isOver = () => run.printed().includes('Ctrl-C stops everything.') || run.child.exitCode !== null;
  await eventually('it is ready', isOver, LIMIT);
  expect(run.printed()).toContain('Ready.');
  return run;
}

/** What it printed, and its exit code, when it has ended by itself. */
async function ended({ child, printed }: Run) {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return { code: child.exitCode, printed: printed() };
}

/** Ids of the processes that carry the state directory's mark. */
function processes(): number[] {
  const environment = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8');
    } catch {
      return '';
    }
  };
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && environment(pid).includes(`=${stateDir}#`))
    .map(Number);
}

describe('npm start', () => {
  it(
    'says what it does and writes the outputs when it is ready',
    async () => {
      const { printed, port, child } = await startReady();
      expect(printed()).toMatch(/s {2}Deploying Small \.\.\.\n +[\d.]+ s {2}Starting 1 worker of Small \.\.\./);
      expect(outputs()).toMatchObject({
        Small: { Queue: expect.stringContaining('/000000000000/Small-Queue'), Table: 'Small-Table' },
        Platform: { ConsoleUrl: `http://127.0.0.1:${port}/` },
      });
      expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
      // The emulators, their table server, the worker, and the process that its jobs run in.
      await eventually('all processes run', () => processes().length === 4, LIMIT);

      const begin = performance.now();
      child.kill('SIGINT');
      expect((await ended({ child, port, printed })).code).toBe(0);
      expect(performance.now() - begin).toBeLessThan(5_000);
      expect(processes()).toEqual([]);
      expect(existsSync(outputsFile())).toBe(false);
    },
    LIMIT,
  );

  it(
    'is ready without workers, and says so',
    async () => {
      const { Resources } = stack();
      const Properties = { Cluster: 'fleet', TaskDefinition: { Ref: 'Task' }, DesiredCount: 0 };
      const Service = { Type: 'AWS::ECS::Service', Properties };
      const { printed, port } = await startReady({ Resources: { ...Resources, Service } });
      expect(printed()).toMatch(/\nWorkers +Small, 0 workers now, started on demand\n/);
      const page = await (await fetch(`http://127.0.0.1:${port}/`)).text();
      expect(page).toContain('Small, 0 workers now, started on demand');
      // The emulators and their table server.
      expect(processes()).toHaveLength(2);
    },
    LIMIT,
  );

  it(
    'that is killed takes everything with it',
    async () => {
      const { child } = await startReady();
      child.kill('SIGKILL');
      await eventually('nothing is left', () => processes().length === 0);
    },
    LIMIT,
  );

  it(
    'ends what a killed run has left, and starts',
    async () => {
      const first = await startReady();
      const queue = outputs().Small?.Queue;
      // The worker starts a process for its handler when it is up.
      await eventually('everything runs', () => processes().length === 4);
      const leftovers = processes();
      // The emulators first: they would end the rest.
      for (const pid of leftovers) {
        const isEmulators = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('emulators-process');
        if (isEmulators) process.kill(pid, 'SIGSTOP');
      }
      first.child.kill('SIGKILL');
      await ended(first);

      const second = await startReady();
      expect(second.printed()).toContain(`Ended ${leftovers.length} processes that an earlier run had left behind.`);
      expect(processes().filter((pid) => leftovers.includes(pid))).toEqual([]);
      // What tasks and messages hold of it must last.
      expect(outputs().Small?.Queue).toBe(queue);
    },
    LIMIT,
  );

  it(
    'stops with a sentence when its emulators die',
    async () => {
      const run = await startReady();
      const emulator = processes().find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('dynoxide'));
      process.kill(emulator ?? 0, 'SIGKILL');
      const { code, printed } = await ended(run);
      expect([code, processes()]).toEqual([1, []]);
      expect(printed).toContain('The emulators ended; ');
    },
    LIMIT,
  );

  it(
    'can be stopped while it starts',
    async () => {
      const run = await launch(stack());
      await eventually('it has begun', () => existsSync(join(stateDir, 'running.json')), LIMIT);
      run.child.kill('SIGTERM');
      expect((await ended(run)).code).toBe(0);
      expect(processes()).toEqual([]);
      expect(existsSync(join(stateDir, 'running.json'))).toBe(false);
    },
    LIMIT,
  );

  it(
    'deletes the queues that have left the templates',
    async () => {
      const first = await startReady();
      const queue = String(outputs().Small?.Queue);
      first.child.kill('SIGINT');
      await ended(first);
      const { Queue, ...others } = stack().Resources;
      await startReady({ Resources: others });
      const headers = {
        'Content-Type': 'application/x-amz-json-1.0',
        'X-Amz-Target': 'AmazonSQS.GetQueueAttributes',
        Authorization: 'AWS4-HMAC-SHA256 Credential=operator/20261121/us-east-1/sqs/aws4_request, SignedHeaders=host',
      };
      const answer = await fetch(new URL(queue).origin, {
        method: 'POST',
        headers,
        body: JSON.stringify({ QueueUrl: queue, AttributeNames: ['All'] }),
      });
      expect(await answer.text()).toContain('QueueDoesNotExist');
    },
    LIMIT,
  );
});

const keyed: Template = {
  Resources: {
    Keys: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        AttributeDefinitions: [{ AttributeName: 'hash', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'hash', KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
      },
    },
  },
  Outputs: { KeysTable: { Value: { Ref: 'Keys' } } },
};

describe('the first API key', () => {
  it(
    'is made once, and stays',
    async () => {
      const first = await startReady(keyed, { name: 'Platform' });
      const key = outputs().Platform?.ApiKey;
      expect(key).toMatch(/^\S{20,}$/);
      expect(first.printed()).toContain(key);
      expect(statSync(outputsFile()).mode & 0o777).toBe(0o600);
      first.child.kill('SIGINT');
      await ended(first);
      await startReady(keyed, { name: 'Platform' });
      expect(outputs().Platform?.ApiKey).toBe(key);
    },
    LIMIT,
  );
});

describe('the calls of a run', () => {
  it(
    'are logged, and the use of permissions is written, if that is wanted',
    async () => {
      const [LOCAL_CALL_LOG, LOCAL_PERMISSIONS_FILE] = [join(folder, 'calls.jsonl'), join(folder, 'permissions.json')];
      const role = { Type: 'AWS::IAM::Role', Properties: {} };
      const statement = { Effect: 'Allow', Action: 's3:GetObject', Resource: '*' };
      const policy = {
        Type: 'AWS::IAM::Policy',
        Properties: {
          PolicyName: 'policy',
          PolicyDocument: { Version: '2012-10-17', Statement: [statement] },
          Roles: [{ Ref: 'Role' }],
        },
      };
      const template = { ...keyed, Resources: { ...keyed.Resources, Role: role, Policy: policy } };
      // The user's own configuration must not lead the commands elsewhere.
      const env = { LOCAL_CALL_LOG, LOCAL_PERMISSIONS_FILE, AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1' };
      const run = await startReady(template, { name: 'Platform', env });
      run.child.kill('SIGINT');
      await ended(run);
      const [call] = readFileSync(LOCAL_CALL_LOG, 'utf8').trim().split('\n');
      const logged = { role: 'operator', service: 'dynamodb', operation: 'PutItem', status: 200, wru: 1 };
      expect(JSON.parse(call ?? '')).toMatchObject(logged);
      expect(JSON.parse(readFileSync(LOCAL_PERMISSIONS_FILE, 'utf8'))).toMatchObject({
        'Platform-Role': [{ actions: { 's3:GetObject': { '*': { used: 0, indispensable: false } } } }],
      });
    },
    LIMIT,
  );
});

describe('a start that cannot succeed says why in one sentence', () => {
  const expectSentence = async (run: Run, sentence: string) => {
    const { code, printed } = await ended(run);
    expect(printed.split('\n').at(-2)).toBe(sentence);
    expect(printed).not.toMatch(/\n\s+at /);
    expect(code).toBe(1);
    expect(processes()).toEqual([]);
  };

  it(
    'a port in use',
    async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as { port: number };
      const run = await launch(stack(), { port });
      await expectSentence(
        run,
        `Port ${port} is in use: stop what listens there, or choose another, as in PORT=${port + 1}.`,
      );
      server.close();
    },
    LIMIT,
  );

  it(
    'a state directory in use',
    async () => {
      const first = await startReady();
      const { code, printed } = await ended(await launch(stack()));
      expect([code, printed]).toEqual([
        1,
        `The state directory ${stateDir} is in use by process ${first.child.pid}.\n`,
      ]);
      expect(first.child.exitCode).toBeNull();
    },
    LIMIT,
  );

  it(
    'a resource that cannot run',
    async () => {
      const run = await launch({ Resources: { Thing: { Type: 'AWS::RDS::DBInstance' } } });
      const sentence = 'Small/Thing (AWS::RDS::DBInstance) cannot run here: there is nothing that runs this type.';
      await expectSentence(run, sentence);
    },
    LIMIT,
  );

  it(
    'an assembly that is none',
    async () => {
      writeFileSync(join(folder, 'nothing'), '');
      const run = await launch(stack(), { args: ['--assembly', folder] });
      await expectSentence(run, `${folder} is no synthesized assembly: it has no manifest.json.`);
    },
    LIMIT,
  );

  it.each([
    ['LOCAL_CALL_LOG', 'The call log'],
    ['LOCAL_PERMISSIONS_FILE', 'The use of permissions'],
    ['LOCAL_FAULT_LOG', 'The fault log'],
  ])(
    'a file of %s that cannot be written',
    async (variable, subject) => {
      const file = join(folder, 'nowhere', 'file');
      const run = await launch(stack(), { env: { [variable]: file, LOCAL_FAULTS: 'each=0.01' } });
      const { code, printed } = await ended(run);
      expect(printed.split('\n').at(-2)).toContain(`${subject} cannot be written: ENOENT: no such file or directory`);
      expect([code, processes()]).toEqual([1, []]);
    },
    LIMIT,
  );

  it(
    'an unknown flag',
    async () => {
      const run = await launch(stack(), { args: ['--verbose'] });
      await expectSentence(run, "Unknown option '--verbose'; npm start -- --help lists what there is.");
    },
    LIMIT,
  );
});
