/** The folder that outlives a run: data, logs, the first key. Only one run at a time uses it. */
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LocalError } from '../local-error.ts';

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

/**
 * Returns the start time of a process in the kernel's clock ticks; undefined if the process has exited. The id and
 * the start time identify a process uniquely. A killed process remains in /proc as a zombie until its parent reaps
 * it, and process 1 of a container might never reap it.
 */
function startOf(pid: number): string | undefined {
  try {
    // Fields after the process name, which is in parentheses and can contain any characters.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ');
    return fields?.[0] === 'Z' ? undefined : fields?.[19];
  } catch {
    return undefined;
  }
}

/** Returns the process that holds the lock, if it still runs. */
function holder(lock: string): number | undefined {
  try {
    const { pid, start } = JSON.parse(readFileSync(lock, 'utf8')) as { pid: number; start: string };
    return startOf(pid) === start ? pid : undefined;
  } catch {
    return undefined; // The lock was just removed, or its writer died while writing.
  }
}

/**
 * Takes the lock. A hard link appears only with its complete content, so no process reads a lock without its
 * holder.
 */
function takeLock(lock: string): boolean {
  const draft = `${lock}.${process.pid}`;
  try {
    writeFileSync(draft, JSON.stringify({ pid: process.pid, start: startOf(process.pid) }), { mode: 0o600 });
    linkSync(draft, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Takes the state directory for this run. @throws LocalError if another run uses the directory, or it cannot be
 * written
 */
export function claimStateDirectory(path: string): StateDirectory {
  const lock = join(path, LOCK);
  try {
    mkdirSync(join(path, 'logs'), { recursive: true, mode: 0o700 });
    if (!takeLock(lock)) {
      const pid = holder(lock);
      if (pid !== undefined) throw new LocalError(`The state directory ${path} is in use by process ${pid}.`);
      rmSync(lock, { force: true });
      if (!takeLock(lock)) throw new LocalError(`Another run has just locked the state directory ${path}.`);
    }
  } catch (error) {
    if (error instanceof LocalError) throw error;
    throw new LocalError(`The state directory cannot be used: ${(error as Error).message}.`);
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
