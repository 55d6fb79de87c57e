import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { signal, stateOf } from '../../../../test/runner/processes.ts';
import { endMarkedProcesses, runMark } from '../../state/processes.ts';
import { lockStateDirectory } from '../../state/state-directory.ts';
import { eventually, newFolder } from '../small-service.ts';

let folder: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = newFolder();
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function stay(mark: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], {
    env: { ...process.env, ...mark },
    stdio: 'ignore',
    detached: true,
  });
  children.push(child);
  await once(child, 'spawn');
  return child;
}

const MODULE = new URL('../../state/state-directory.ts', import.meta.url).href;

/**
 * Starts a run in the folder. Its parent, a shell that has become `sleep`, never reaps it.
 * @returns process id of the run
 */
async function stayBelowParentThatDoesNotReap(): Promise<number> {
  const run = `(await import('${MODULE}')).lockStateDirectory('${folder}'); setInterval(() => undefined, 1000);`;
  const script = '"$0" --input-type=module -e "$1" & exec sleep 600';
  children.push(spawn('sh', ['-c', script, process.execPath, run], { stdio: 'ignore' }));
  const lock = join(folder, 'running.json');
  await eventually('the run has the folder', () => existsSync(lock));
  return (JSON.parse(readFileSync(lock, 'utf8')) as { pid: number }).pid;
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

describe('the state directory', () => {
  it('belongs to only one run at a time', () => {
    const first = lockStateDirectory(folder);
    const sentence = `The state directory ${folder} is in use by process ${process.pid}.`;
    expect(() => lockStateDirectory(folder)).toThrow(sentence);
    first.release();
    lockStateDirectory(folder).release();
  });

  it('is free again after its run was killed', () => {
    // The lock has the id of this process with another start time, so it belongs to a process that has exited.
    writeFileSync(join(folder, 'running.json'), JSON.stringify({ pid: process.pid, start: '1' }));
    lockStateDirectory(folder).release();
    expect(existsSync(join(folder, 'running.json'))).toBe(false);
  });

  it('is free again after its run was killed and remains as a zombie', async () => {
    const pid = await stayBelowParentThatDoesNotReap();
    try {
      expect(() => lockStateDirectory(folder)).toThrow(`is in use by process ${pid}.`);
    } finally {
      signal(pid, 'SIGKILL');
    }
    await eventually('the run is a zombie', () => stateOf(pid)?.state === 'Z');
    lockStateDirectory(folder).release();
  });

  it('contains files that only their owner can read', () => {
    const state = lockStateDirectory(folder);
    expect(state.readJson('key.json')).toBeUndefined();
    state.writeJson('key.json', { secret: 'a' });
    expect(state.readJson('key.json')).toEqual({ secret: 'a' });
    expect(statSync(join(folder, 'key.json')).mode & 0o777).toBe(0o600);
  });

  it('is named in the error if it cannot be created', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => lockStateDirectory(join(folder, 'file', 'state'))).toThrow('The state directory cannot be used');
  });
});

describe('the processes that an earlier run has left', () => {
  it('are killed together with their children, but other processes are not', async () => {
    const marked = [await stay(runMark(folder, 1)), await stay(runMark(folder, 2))];
    const others = [await stay(runMark(`${folder}-other`, 1)), await stay({})];
    expect(await endMarkedProcesses(folder)).toBe(2);
    await Promise.all(marked.map((child) => hasEnded(child) || once(child, 'exit')));
    expect(others.map(hasEnded)).toEqual([false, false]);
  });

  it('can be killed separately for each run', async () => {
    const [first, second] = [await stay(runMark(folder, 1)), await stay(runMark(folder, 12))];
    expect(await endMarkedProcesses(folder, 1)).toBe(1);
    expect(hasEnded(first) || (await once(first, 'exit'))).toBeTruthy();
    expect(hasEnded(second)).toBe(false);
  });
});
