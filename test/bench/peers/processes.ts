/** Measures and kills processes, by the files of /proc. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Kernel ticks per second, the same on every Linux machine. */
const TICKS = 100;
const KILL_LIMIT = 10_000;

interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
  /** Seconds of processor time, including that of children whose end the process has read. */
  readonly seconds: number;
}

/** @param text content of /proc/PID/stat */
export function parseStat(pid: number, text: string): Stat {
  // The name of the program is in parentheses and can contain any character.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { pid, parent: Number(fields[1]), state: fields[0] ?? '', seconds: ticks / TICKS };
}

function read(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined; // The process has exited.
  }
}

function allProcesses(): Stat[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.flatMap((pid) => {
    const text = read(pid, 'stat');
    return text === undefined ? [] : [parseStat(pid, text)];
  });
}

/** Returns the processes and all their descendants. */
function treeOf(roots: readonly number[]): Stat[] {
  const all = allProcesses();
  const children = Map.groupBy(all, ({ parent }) => parent);
  const within = (one: Stat): Stat[] => [one, ...(children.get(one.pid) ?? []).flatMap(within)];
  return all.filter(({ pid }) => roots.includes(pid)).flatMap(within);
}

const commandOf = (pid: number) => (read(pid, 'cmdline') ?? '').split('\0').join(' ');

/** Returns the ids of the processes and their descendants whose command contains `part`. */
export const pidsWith = (roots: readonly number[], part: string): number[] =>
  treeOf(roots).flatMap(({ pid }) => (commandOf(pid).includes(part) ? [pid] : []));

/** Returns the processor time of the processes and their descendants, in seconds. */
export const processorSeconds = (roots: readonly number[]): number =>
  treeOf(roots).reduce((sum, { seconds }) => sum + seconds, 0);

export interface Memory {
  /** Sums in MB. PSS divides a page among the processes that share it. */
  readonly rss: number;
  readonly pss: number;
}

export function memoryOf(roots: readonly number[]): Memory {
  const texts = treeOf(roots).map(({ pid }) => read(pid, 'smaps_rollup') ?? '');
  const sum = (name: string) =>
    texts.reduce((total, text) => total + Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(text)?.[1] ?? 0), 0) /
    1_024;
  return { rss: sum('Rss'), pss: sum('Pss') };
}

/** Returns whether the process runs. A process whose end its parent has not read does not run. */
export const isRunning = (pid: number) => {
  const text = read(pid, 'stat');
  return text !== undefined && parseStat(pid, text).state !== 'Z';
};

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has exited by itself.
  }
}

/** Kills the processes and their descendants, and waits until they have ended. */
export async function killTree(roots: readonly number[]): Promise<void> {
  const pids = treeOf(roots).map(({ pid }) => pid);
  for (const pid of pids) kill(pid);
  for (const deadline = Date.now() + KILL_LIMIT; pids.some(isRunning); await delay(10))
    if (Date.now() > deadline) throw new Error(`Processes ${pids.filter(isRunning).join(', ')} were not killed.`);
}
