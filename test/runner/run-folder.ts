/**
 * The folder of one run of the tests. Everything that a test file writes is in it, in a folder of the file's own, and
 * every process that a test starts carries its path in its environment. So a later run finds what an aborted one has
 * left, and the logs of a failed file stay where the report says until the next run.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processesThatCarry, signal, stateOf } from './processes.ts';

/** The variable that names the folder for the processes of the run. */
export const RUN_FOLDER = 'TEST_RUN_FOLDER';

/** A folder's name has the id and the start time of its process, which identify the process for good. */
const nameOf = (pid: number) => `${pid}-${stateOf(pid)?.start ?? ''}`;

function isUnderWay(name: string): boolean {
  const pid = Number.parseInt(name, 10);
  return stateOf(pid)?.state !== 'Z' && nameOf(pid) === name;
}

/** Ends the processes that carry the folder's path, or one in it. */
function endProcessesOf(folder: string): number {
  const left = [`=${folder}\0`, `=${folder}/`].flatMap(processesThatCarry);
  for (const pid of left) signal(pid, 'SIGKILL');
  return new Set(left).size;
}

export interface RunFolder {
  readonly path: string;
  /** Processes of aborted runs that were ended. */
  readonly ended: number;
}

/** Creates the folder of this run, and ends and removes the leftovers of earlier runs. */
export function openRunFolder(): RunFolder {
  const parent = join(tmpdir(), 'gpu-endpoints-test-runs');
  mkdirSync(parent, { recursive: true });
  let ended = 0;
  for (const name of readdirSync(parent)) {
    const folder = join(parent, name);
    if (isUnderWay(name)) continue;
    ended += endProcessesOf(folder);
    // A run that starts at the same time may be removing it as well.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
  const path = join(parent, nameOf(process.pid));
  mkdirSync(path);
  return { path, ended };
}

export const isInRun = (): boolean => Boolean(process.env[RUN_FOLDER]);

function runFolder(): string {
  const folder = process.env[RUN_FOLDER];
  if (!folder) throw new Error(`${RUN_FOLDER} is not set: run this by \`npm test\`.`);
  return folder;
}

/** Ends the processes that the present run has started and not ended. @returns how many */
export const endProcessesOfRun = (): number => endProcessesOf(runFolder());

/** A path in the folder of the present run. */
export const inRunFolder = (...names: string[]): string => join(runFolder(), ...names);

/** The folder of the test file's output, which may not exist. @param file path in the repository */
export const folderOfFile = (file: string): string =>
  inRunFolder(file.replace(/^test\/|\.\w+\.ts$/g, '').replaceAll(/\W+/g, '-'));
