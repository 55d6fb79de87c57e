/** The folder that outlives a run: data and logs. Only one run at a time uses it. */
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { LocalError } from '../local-error.ts';
import { isRunning, type RunningProcess, runningProcess } from './processes.ts';

export interface StateDirectory {
  readonly path: string;
  /** Returns the absolute path of a file in the folder. */
  file(...names: string[]): string;
  /** Reads a file; undefined if it does not exist. */
  readJson<Content>(name: string): Content | undefined;
  /** Writes a file atomically, readable by this user only. */
  writeJson(name: string, content: unknown): void;
  remove(name: string): void;
  /** Returns the absolute path of a log of this run. */
  logFile(name: string): string;
  /** Empties the folder of logs. The logs of the previous run are moved to another folder. */
  rotateLogs(): void;
  /** Releases the lock, so that another run can use the folder. */
  release(): void;
}

/** File with the addresses of the service, which exists while the service runs. */
export const OUTPUTS = 'outputs.json';

const LOCK = 'running.json';

interface Lock {
  readonly holder: RunningProcess;
  /** The process that started the holder and must outlive it, if there is one. */
  readonly parent?: RunningProcess;
}

function readLock(lock: string): Lock {
  const { pid, start, parent } = JSON.parse(readFileSync(lock, 'utf8')) as RunningProcess & Pick<Lock, 'parent'>;
  return { holder: { pid, start }, ...(parent && { parent }) };
}

/** Returns the process that holds the lock, if it still runs. */
function holder(lock: string): number | undefined {
  try {
    const { holder: found } = readLock(lock);
    return isRunning(found) ? found.pid : undefined;
  } catch {
    return undefined; // The lock was just removed, or its writer died while writing.
  }
}

/**
 * Takes the lock. A hard link appears only with its complete content, so no process reads a lock without its
 * holder.
 */
function takeLock(lock: string, parent: RunningProcess | undefined): boolean {
  const draft = `${lock}.${process.pid}`;
  try {
    const content = { ...runningProcess(process.pid), ...(parent && { parent }) };
    writeFileSync(draft, JSON.stringify(content), { mode: 0o600 });
    linkSync(draft, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Milliseconds that a run gets to end after its parent. */
const ORPHAN_LIMIT = 10_000;
const ORPHAN_CHECKS = 50;

/** Waits for a run that is about to end, because the process that started it has ended. */
export async function orphanEnded(path: string): Promise<void> {
  const lock = join(path, LOCK);
  const isOrphan = () => {
    try {
      const { holder: found, parent } = readLock(lock);
      return parent !== undefined && !isRunning(parent) && isRunning(found);
    } catch {
      return false; // No run holds the lock.
    }
  };
  for (let waited = 0; waited < ORPHAN_LIMIT && isOrphan(); waited += ORPHAN_CHECKS) await delay(ORPHAN_CHECKS);
}

/**
 * Takes the state directory for this run.
 * @param parent the process whose end ends this run; by default, none
 * @throws LocalError if another run uses the directory, or it cannot be written
 */
export function lockStateDirectory(path: string, parent?: RunningProcess): StateDirectory {
  const lock = join(path, LOCK);
  try {
    mkdirSync(join(path, 'logs'), { recursive: true, mode: 0o700 });
    // An existing folder can have other permissions.
    chmodSync(path, 0o700);
    if (!takeLock(lock, parent)) {
      const pid = holder(lock);
      if (pid !== undefined) throw new LocalError(`The state directory ${path} is in use by process ${pid}.`);
      rmSync(lock, { force: true });
      if (!takeLock(lock, parent)) throw new LocalError(`Another run has just locked the state directory ${path}.`);
    }
  } catch (error) {
    if (error instanceof LocalError) throw error;
    throw new LocalError(`The state directory cannot be used: ${(error as Error).message}.`, { cause: error });
  }

  const file = (...names: string[]) => join(path, ...names);
  return {
    path,
    file,
    readJson: <Content>(name: string) =>
      existsSync(file(name)) ? (JSON.parse(readFileSync(file(name), 'utf8')) as Content) : undefined,
    writeJson(name, content) {
      const draft = file(`${name}.draft`);
      writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
      renameSync(draft, file(name));
    },
    remove: (name) => rmSync(file(name), { force: true }),
    logFile: (name) => file('logs', `${name}.log`),
    rotateLogs() {
      rmSync(file('logs.previous'), { recursive: true, force: true });
      renameSync(file('logs'), file('logs.previous'));
      mkdirSync(file('logs'), { mode: 0o700 });
    },
    release: () => rmSync(lock, { force: true }),
  };
}
