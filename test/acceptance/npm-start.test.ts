/** Tests that the end of npm ends the run that `npm start` began, and that the state directory is free afterwards. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort } from '../../packages/emulator/network/ports.ts';
import { endMarkedProcesses } from '../../packages/emulator/state/processes.ts';
import { eventually, newFolder, writeAssembly } from '../../packages/emulator/test/small-service.ts';
import { processesThatCarry, readOfProcess } from '../runner/processes.ts';

const LIMIT = 60_000;

/** A worker that needs a moment to stop, so that a run that is not stopped properly leaves it behind. */
const stack = {
  Resources: {
    Task: {
      Type: 'AWS::ECS::TaskDefinition',
      Properties: {
        Family: 'test',
        TaskRoleArn: 'arn:aws:iam::000000000000:role/test',
        ContainerDefinitions: [{ Name: 'worker', Image: 'gpu-endpoints/example-http' }],
      },
    },
    Service: { Type: 'AWS::ECS::Service', Properties: { Cluster: 'fleet', TaskDefinition: { Ref: 'Task' } } },
  },
};

let folder: string;
let stateDir: string;
let npm: ChildProcess | undefined;
let printed: string;

beforeEach(() => {
  folder = newFolder();
  stateDir = join(folder, 'state');
});
afterEach(async () => {
  npm?.kill('SIGKILL');
  for (const pid of runsOfState()) process.kill(pid, 'SIGKILL');
  await endMarkedProcesses(stateDir);
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the ids of all processes that hold the state directory: those of npm, the service and its programs. */
const runsOfState = () =>
  processesThatCarry(`LOCAL_STATE_DIR=${stateDir}`).filter((pid) =>
    /main\.mjs|gpu-endpoints\0dev/.test(readOfProcess(pid, 'cmdline')),
  );
const isLeft = () => [...runsOfState(), ...processesThatCarry(`=${stateDir}#`)].length > 0;

/** Runs `npm start` or another command, and waits until the service is ready. */
async function start([program = '', ...args] = ['npm', 'start', '--']): Promise<ChildProcess> {
  const assembly = writeAssembly(join(folder, 'assembly'), { 'Endpoint-small': stack });
  const child = spawn(program, [...args, '--assembly', assembly], {
    env: { ...process.env, PORT: String(await freePort()), LOCAL_STATE_DIR: stateDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  npm = child;
  printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
  const isOver = () => printed.includes('stops everything.') || child.exitCode !== null;
  await eventually('npm start is ready', isOver, LIMIT);
  expect(printed).toContain('Ready.');
  return child;
}

describe('npm start', () => {
  it('has stopped every process when npm exits after SIGTERM, so that the next start succeeds at once', async () => {
    const child = await start();
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
    expect(isLeft()).toBe(false);
    await start();
  });

  it('stops by itself when npm is killed, and the next start waits for it', async () => {
    const child = await start();
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    await start();
    npm?.kill('SIGKILL');
    await eventually('no process is left', () => !isLeft(), LIMIT);
  });
});

describe('npx gpu-endpoints dev', () => {
  it('stops when npx ends after SIGTERM, and names the process that a user can end as well', async () => {
    const child = await start(['npx', 'gpu-endpoints', 'dev']);
    const [, pid = ''] = /^Ctrl-C or `kill (\d+)` stops everything\.$/m.exec(printed) ?? [];
    expect(readOfProcess(Number(pid), 'cmdline')).toContain('gpu-endpoints');
    child.kill('SIGTERM');
    await eventually('no process is left', () => !isLeft(), LIMIT);
  });
});
