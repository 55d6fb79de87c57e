/** Runs `npm run busy -w packages/lab` and `npm run stalls -w packages/lab` with other commands instead of npm test. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { isAlive, isStopped, processIds, readOfProcess, signal, stateOf } from '../../../test/runner/processes.ts';
import { endRun } from './run.ts';

/** File to which commands write their process ids. Each test has a new file. */
let pidsFile: string;
/** Processes that a failed test would leave. */
const runs: string[] = [];
const spinners: number[] = [];

beforeEach(() => {
  pidsFile = join(mkdtempSync(join(tmpdir(), 'busy-')), 'pids');
});
afterEach(() => {
  for (const run of runs.splice(0)) endRun(run);
  for (const pid of spinners.splice(0)) if (isAlive(pid)) signal(pid, 'SIGKILL');
});

function start(script: 'busy' | 'stalls', ...args: readonly string[]) {
  const child = spawn(process.execPath, [`packages/lab/disturbed-runs/${script}.ts`, ...args]);
  const { pid } = child;
  if (pid === undefined) throw new Error('The command has not started.');
  runs.push(`${script}-${pid}`);
  const code = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const ended = Promise.all([code, text(child.stdout), text(child.stderr)]);
  return { pid, ended: ended.then(([code, out, err]) => ({ code, out, err })) };
}

/** @returns arguments with which node runs a script instead of npm test */
const node = (...args: readonly string[]) => ['--command', process.execPath, '--', ...args];
const waiting = () => node('packages/lab/disturbed-runs/waiting.ts', pidsFile);

const WITHIN = 60_000;

async function until<Found>(what: string, look: () => Found | undefined | false): Promise<Found> {
  for (const deadline = Date.now() + WITHIN; Date.now() < deadline; await delay(50)) {
    const found = look();
    if (found !== undefined && found !== false) return found;
  }
  throw new Error(`Not within ${WITHIN} ms: ${what}.`);
}

const areGone = (pids: readonly number[]) => !pids.some(isAlive);
/** Returns the processes, without those that have not executed their command yet. */
const childrenOf = (pid: number, script: string) =>
  processIds().filter((id) => stateOf(id)?.parent === pid && readOfProcess(id, 'cmdline').includes(script));

function writtenPids(count: number): number[] | undefined {
  const pids = existsSync(pidsFile) ? readFileSync(pidsFile, 'utf8').split('\n').filter(Boolean).map(Number) : [];
  return pids.length === count ? pids : undefined;
}

async function spinnersOf(pid: number): Promise<number[]> {
  return until('all cores are busy', () => {
    const spinning = childrenOf(pid, 'test/support/spin.ts');
    if (spinning.length !== availableParallelism()) return undefined;
    spinners.push(...spinning);
    return spinning;
  });
}

describe('npm run busy -w packages/lab', () => {
  it('prints for each run whether it passed, and exits with 1 if a run failed', async () => {
    // The first run passes, because the file does not exist yet.
    const green = `const fs = require('fs'); process.exitCode = +fs.existsSync('${pidsFile}'); fs.writeFileSync('${pidsFile}', '')`;
    const { code, out } = await start('busy', '--runs', '2', ...node('-e', green)).ended;
    const cores = `${availableParallelism()} cores busy`;
    expect(out).toMatch(new RegExp(`^run 1 of 2, ${cores}: green, \\d+ s, \\d+ s of processor time\\n`));
    expect(out).toMatch(new RegExp(`\\nrun 2 of 2, ${cores}: red, \\d+ s, \\d+ s of processor time\\n$`));
    expect(code).toBe(1);
  });

  it('runs one busy process per core, and kills these processes and the run on Ctrl-C', async () => {
    const { pid, ended } = start('busy', ...waiting());
    const pids = [...(await spinnersOf(pid)), ...(await until('the run has two processes', () => writtenPids(2)))];
    signal(pid, 'SIGINT');
    expect(await ended).toMatchObject({ code: 130 });
    await until('no process of the run is left', () => areGone(pids));
  });

  it('leaves no busy process when it is killed', async () => {
    const { pid, ended } = start('busy', ...waiting());
    const spinning = await spinnersOf(pid);
    const left = await until('the run has two processes', () => writtenPids(2));
    signal(pid, 'SIGKILL');
    await until('no core is kept busy', () => areGone(spinning));
    for (const other of left) signal(other, 'SIGTERM');
    await ended;
  });

  it('runs nothing if the number of runs is invalid', async () => {
    const { code, err } = await start('busy', '--runs', '0').ended;
    expect([code, err]).toEqual([2, '--runs is 0; it must be a whole number from 1 to 9999.\n']);
  });
});

describe('npm run stalls -w packages/lab', () => {
  const areStopped = (pids: readonly number[]) => pids.every(isStopped);
  const isNoneStopped = (pids: readonly number[]) => !pids.some(isStopped);

  it('stops all processes of a run, including those in other process groups, and continues them', async () => {
    const { ended } = start('stalls', '--seed', '7', '--pause', '0.1-0.3', '--stop', '0.3', ...waiting());
    const pids = await until('the run has two processes', () => writtenPids(2));
    await until('the run is stopped', () => areStopped(pids));
    await until('the run continues', () => isNoneStopped(pids));
    for (const pid of pids.toReversed()) signal(pid, 'SIGTERM');
    const { code, out } = await ended;
    expect(out).toMatch(
      /^seed 7\n[1-9]\d* stops of up to 2 processes, seed 7: green, \d+ s, \d+ s of processor time\n$/,
    );
    expect(code).toBe(0);
  });

  it('exits with 1 if the run failed', async () => {
    const { code, out } = await start('stalls', ...node('-e', 'process.exitCode = 1')).ended;
    expect(out).toContain(': red, ');
    expect(code).toBe(1);
  });

  const forLong = ['--pause', '2-2', '--stop', '10'];

  it('kills a stopped run on Ctrl-C', async () => {
    const { pid, ended } = start('stalls', ...forLong, ...waiting());
    const pids = await until('the run has two processes', () => writtenPids(2));
    await until('the run is stopped', () => areStopped(pids));
    signal(pid, 'SIGINT');
    expect(await ended).toMatchObject({ code: 130 });
    await until('no process of the run is left', () => areGone(pids));
  });

  it('continues a stopped run when the command itself is killed', async () => {
    const { pid, ended } = start('stalls', ...forLong, ...waiting());
    const pids = await until('the run has two processes', () => writtenPids(2));
    await until('the run is stopped', () => areStopped(pids));
    signal(pid, 'SIGKILL');
    await until('the run continues', () => isNoneStopped(pids));
    for (const other of pids) signal(other, 'SIGTERM');
    await ended;
  });

  it.each([
    ['--seed', 'x', '--seed is x; it must be a whole number.'],
    ['--pause', '3-1', '--pause is 3-1; it must be two numbers of seconds, as in 10-30.'],
    ['--stop', 'long', '--stop is long; it must be a number of seconds.'],
  ])('runs nothing with %s %s', async (name, value, sentence) => {
    const { code, err } = await start('stalls', name, value).ended;
    expect([code, err]).toEqual([2, `${sentence}\n`]);
  });
});

it.each(['busy', 'stalls'] as const)('prints its options: %s', async (script) => {
  const { code, out } = await start(script, '--help').ended;
  expect(code).toBe(0);
  expect(out).toMatch(/^Usage: npm run (busy|stalls) -w packages\/lab -- \[options\] \[-- arguments of npm test\]\n/);
});
