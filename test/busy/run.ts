/** One run of the tests, or of another command, and the processes that belong to it. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { processesThatCarry, processIds, signal, stateOf } from '../runner/processes.ts';

/** Variable that all processes of a run inherit, those in a process group of their own too. */
const MARK = 'TEST_DISTURBED_RUN';

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
}

/** @param program in place of npm test */
export function commandOf(program: string | undefined, args: readonly string[]): Command {
  return program === undefined ? { program: 'npm', args: ['test', '--', ...args] } : { program, args };
}

export interface Outcome {
  readonly isGreen: boolean;
  /** A sentence without its end. */
  readonly words: string;
}

/** @returns those that carry the mark, and all below them, in case one has left it out */
export function processesOf(run: string): number[] {
  const found = new Set(processesThatCarry(`${MARK}=${run}\0`));
  const parents = processIds().map((pid) => [pid, stateOf(pid)?.parent] as const);
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const [pid, parent] of parents) if (parent !== undefined && found.has(parent)) found.add(pid);
  }
  return [...found];
}

/** Ends all processes of the run, also those that are stopped. */
export function endRun(run: string): void {
  for (const pid of processesOf(run)) signal(pid, 'SIGKILL');
}

/** Calls `end` however this process ends, unless it is killed. */
export function atTheEnd(end: () => void): void {
  process.once('exit', end);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => process.exit(128 + constants.signals[name]));
}

/** @param run names the run */
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
  return { isGreen, words: `${isGreen ? 'green' : 'red'}, ${times}` };
}
