/** Runs commands until they exit. */
import { execFile } from 'node:child_process';

export interface Running {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Stops the command. */
  readonly signal?: AbortSignal;
}

export interface Ended {
  /** Exit code of the process, or -1 if it was killed. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Milliseconds until a command must have exited, even on a busy machine. */
const LIMIT = 600_000;
const MOST = 64 * 1024 * 1024;

/** Runs a command and returns its result, even if the command fails. */
export function runs(command: string, args: readonly string[], { cwd, env, signal }: Running): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>();
  execFile(command, args, { cwd, env, signal, timeout: LIMIT, maxBuffer: MOST }, (error, stdout, stderr) => {
    const code = typeof error?.code === 'number' ? error.code : -1;
    resolve({ code: error ? code : 0, stdout, stderr });
  });
  return promise;
}

/** Returns the end of an output, which contains the reason of a failure. */
const endOf = (text: string) => text.trim().split('\n').slice(-40).join('\n');

/**
 * Runs a command.
 * @returns the output of the command
 * @throws Error with the end of the output, if the exit code is not 0
 */
export async function succeeds(command: string, args: readonly string[], running: Running): Promise<string> {
  const { code, stdout, stderr } = await runs(command, args, running);
  if (code === 0) return stdout;
  throw new Error(`\`${[command, ...args].join(' ')}\` ended with ${code}:\n${endOf(`${stdout}\n${stderr}`)}`);
}
