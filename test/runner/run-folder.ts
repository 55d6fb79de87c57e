/**
 * The folder of one run of the tests. Each test file writes to its own folder in it, and every process that a
 * test starts has the path in its environment. So a later run finds the leftovers of an aborted run, and the logs
 * of a failed file are kept until the next run, in the folder that the report names.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processesThatCarry, signal, stateOf } from './processes.ts';

/** The environment variable with the folder's path, for the processes of the run. */
export const RUN_FOLDER = 'TEST_RUN_FOLDER';

/**
 * Returns the name of a folder: the id and the start time of its process, which together identify the process
 * forever.
 */
const nameOf = (pid: number) => `${pid}-${stateOf(pid)?.start ?? ''}`;

function isUnderWay(name: string): boolean {
  const pid = Number.parseInt(name, 10);
  return stateOf(pid)?.state !== 'Z' && nameOf(pid) === name;
}

/** Kills the processes that have the folder's path, or a path in the folder, in their environment. */
function endProcessesOf(folder: string): number {
  const left = [`=${folder}\0`, `=${folder}/`].flatMap(processesThatCarry);
  for (const pid of left) signal(pid, 'SIGKILL');
  return new Set(left).size;
}

export interface RunFolder {
  readonly path: string;
  /** Number of processes of aborted runs that were killed. */
  readonly ended: number;
}

/** Creates the folder of this run. Kills the processes and removes the folders of aborted runs. */
export function openRunFolder(): RunFolder {
  const parent = join(tmpdir(), 'gpu-endpoints-test-runs');
  mkdirSync(parent, { recursive: true });
  let ended = 0;
  for (const name of readdirSync(parent)) {
    const folder = join(parent, name);
    if (isUnderWay(name)) continue;
    ended += endProcessesOf(folder);
    // A run that starts at the same time may also be removing the folder.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
  const path = join(parent, nameOf(process.pid));
  mkdirSync(path);
  return { path, ended };
}

export const isInRun = (): boolean => Boolean(process.env[RUN_FOLDER]);

function runFolder(): string {
  const folder = process.env[RUN_FOLDER];
  if (!folder) throw new Error(`${RUN_FOLDER} is not set: use \`npm test\`.`);
  return folder;
}

/**
 * Kills the processes that the current run has started and not stopped.
 * @returns their number
 */
export const endProcessesOfRun = (): number => endProcessesOf(runFolder());

/** Returns a path in the folder of the current run. */
export const inRunFolder = (...names: string[]): string => join(runFolder(), ...names);

/**
 * Returns the folder for the output of the test file. The folder may not exist. Its name is short, because Chromium
 * creates a socket in it, whose path can have 107 characters.
 * @param file path relative to the repository
 */
export const folderOfFile = (file: string): string =>
  inRunFolder(
    file.replace(/^packages\/|^test\/|(?<=^packages\/[^/]+\/)test\/|\.\w+\.ts$/g, '').replaceAll(/\W+/g, '-'),
  );
