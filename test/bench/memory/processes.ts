/** Reads the memory of the service's processes, and the size of its state folder, from Linux. */
import { globSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The parts of the service. `service` is `npm start` itself with all functions, and the emulators. */
export type Part = 'service' | 'ingress' | 'agent' | 'container';

export interface ProcessMemory {
  readonly part: Part;
  readonly pid: number;
  /** Resident memory in MB. Memory that several processes share counts in each of them. */
  readonly resident: number;
  /** Resident memory in MB, in which each of n processes that share memory counts an n-th of it. */
  readonly proportional: number;
  /** Open files and connections. */
  readonly files: number;
}

/** The parts by a piece of their command line. Other processes are containers. */
const PARTS: readonly (readonly [piece: string, part: Part])[] = [
  ['local/main.ts', 'service'],
  ['local/emulators/', 'service'],
  ['@dynoxide/', 'service'],
  ['ingress/main.ts', 'ingress'],
  ['worker/main.ts', 'agent'],
];

export const partOf = (command: string): Part => PARTS.find(([piece]) => command.includes(piece))?.[1] ?? 'container';

const KB_IN_MB = 1_024;

/** Returns a field of `smaps_rollup`, in MB. */
const fieldOf = (text: string, name: string) =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / KB_IN_MB;

const childrenOf = (pid: number): number[] =>
  globSync(`/proc/${pid}/task/*/children`)
    .flatMap((file) => readFileSync(file, 'utf8').split(' '))
    .filter(Boolean)
    .map(Number);

function memoryOf(pid: number): ProcessMemory | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return {
      part: partOf(readFileSync(`/proc/${pid}/cmdline`, 'utf8')),
      pid,
      resident: fieldOf(text, 'Rss'),
      proportional: fieldOf(text, 'Pss'),
      files: readdirSync(`/proc/${pid}/fd`).length,
    };
  } catch {
    return undefined; // The process has just exited.
  }
}

/** Returns the memory of the process and of all its descendants. */
export function memoryOfTree(pid: number): ProcessMemory[] {
  const own = memoryOf(pid);
  return own ? [own, ...childrenOf(pid).flatMap(memoryOfTree)] : [];
}

/** Returns the total size of the files in a folder, in MB, without the compile cache, which is filled only once. */
export const sizeOfFolder = (folder: string): number =>
  globSync('**/*', { cwd: folder, exclude: ['compile-cache'] }).reduce(
    (sum, name) => sum + (lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  ) /
  1_024 /
  1_024;
