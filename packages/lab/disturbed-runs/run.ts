/** Runs the tests, or another command, once, and manages the processes of that run. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { processesThatCarry, processIds, signal, stateOf } from '../../../test/runner/processes.ts';

/** Environment variable that all processes of a run inherit, including those in other process groups. */
const MARK = 'TEST_DISTURBED_RUN';

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
}

/** @param program program to run instead of npm test */
export function commandOf(program: string | undefined, args: readonly string[]): Command {
  return program === undefined ? { program: 'npm', args: ['test', '--', ...args] } : { program, args };
}

export interface Outcome {
  readonly isGreen: boolean;
  /** Result and durations, such as `green, 12 s, 20 s of processor time`. */
  readonly summary: string;
}

/** @returns the processes with the mark and all their descendants, which may not have inherited it */
export function processesOf(run: string): number[] {
  const found = new Set(processesThatCarry(`${MARK}=${run}\0`));
  const parents = processIds().map((pid) => [pid, stateOf(pid)?.parent] as const);
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const [pid, parent] of parents) if (parent !== undefined && found.has(parent)) found.add(pid);
  }
  return [...found];
}

/** Kills all processes of the run, including stopped processes. */
export function endRun(run: string): void {
  for (const pid of processesOf(run)) signal(pid, 'SIGKILL');
}

/** Calls `end` when this process exits, unless it is killed. */
export function atTheEnd(end: () => void): void {
  process.once('exit', end);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => process.exit(128 + constants.signals[name]));
}

/** @param run id of the run, for the mark */
export async function runMarked({ program, args }: Command, run: string): Promise<Outcome> {
  const used = () => stateOf(process.pid)?.secondsOfEnded ?? 0;
  const before = used();
  const begin = performance.now();
  const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, [MARK]: run } });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  const wall = (performance.now() - begin) / 1_000;
  const isGreen = code === 0;
  const times = `${wall.toFixed(0)} s, ${(used() - before).toFixed(0)} s of processor time`;
  return { isGreen, summary: `${isGreen ? 'green' : 'red'}, ${times}` };
}
