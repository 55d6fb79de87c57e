/** Runs commands until they exit. */
import { execFile, spawn } from 'node:child_process';

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
const MAX_OUTPUT = 64 * 1024 * 1024;

/** Runs a command and returns its result, even if the command fails. */
export function runs(command: string, args: readonly string[], { cwd, env, signal }: Running): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>();
  execFile(command, args, { cwd, env, signal, timeout: LIMIT, maxBuffer: MAX_OUTPUT }, (error, stdout, stderr) => {
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

/**
 * Interrupts a command as Ctrl-C does, as soon as its output contains a text.
 * @throws Error with the output, if the command ends before
 */
export async function interruptedAt(
  text: string,
  command: string,
  args: readonly string[],
  { cwd, env, signal }: Running,
): Promise<Ended> {
  const child = spawn(command, args, { cwd, env, signal, stdio: ['ignore', 'pipe', 'pipe'] });
  const { promise, resolve, reject } = Promise.withResolvers<Ended>();
  let [stdout, stderr, isStopped] = ['', '', false];
  child.stderr.on('data', (part) => {
    stderr += part;
  });
  child.stdout.on('data', (part) => {
    stdout += part;
    if (isStopped || !stdout.includes(text)) return;
    isStopped = true;
    child.kill('SIGINT');
  });
  child.once('error', reject);
  child.once('close', (code) => {
    if (isStopped) resolve({ code: code ?? -1, stdout, stderr });
    else
      reject(
        new Error(`The command ended before it printed ${JSON.stringify(text)}:\n${endOf(`${stdout}\n${stderr}`)}`),
      );
  });
  return promise;
}
