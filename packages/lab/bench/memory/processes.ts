/** Reads the memory of the service's processes, and the size of its state folder, from Linux. */
import { globSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { familyNow, type Memory, readOfProcess, residentMemoryOf } from '../processes.ts';

/** The parts of the service. `service` is `npm start` itself with all functions, and the emulators. */
export type Part = 'service' | 'ingress' | 'agent' | 'container';

export interface ProcessMemory extends Memory {
  readonly part: Part;
  readonly pid: number;
  /** Open files and connections. */
  readonly files: number;
}

/** The parts by a piece of their command line. Other processes are containers. */
const PARTS: readonly (readonly [piece: string, part: Part])[] = [
  ['bin/start/main.mjs', 'service'],
  ['packages/emulator/emulators/', 'service'],
  ['@dynoxide/', 'service'],
  ['ingress/main.ts', 'ingress'],
  ['worker/main.ts', 'agent'],
];

export const partOf = (command: string): Part => PARTS.find(([piece]) => command.includes(piece))?.[1] ?? 'container';

function openFilesOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0; // The process has just exited.
  }
}

/** Returns the memory of the process and of all its descendants. */
export const memoryOfTree = (root: number): ProcessMemory[] =>
  familyNow([root]).flatMap((pid) => {
    const memory = residentMemoryOf(pid);
    return memory ? [{ part: partOf(readOfProcess(pid, 'cmdline')), pid, ...memory, files: openFilesOf(pid) }] : [];
  });

/** Returns the total size of the files in a folder, in MB, without the compile cache, which is filled only once. */
export const sizeOfFolder = (folder: string): number =>
  globSync('**/*', { cwd: folder, exclude: ['compile-cache'] }).reduce(
    (sum, name) => sum + (lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  ) /
  1_024 /
  1_024;
