/** Runs the binary as a user does, as a process in a folder of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

const PROGRAM = resolve('bin/cli.ts');

export interface Printed {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Presses Ctrl-C as soon as the process has printed this. */
  readonly interruptAt?: string;
  /** Reads nothing of the standard output, as a reader that has ended. */
  readonly isClosed?: boolean;
}

/** Runs the binary without the variables of this process, so that only those of the test select a deployment. */
export async function runBinary(
  args: readonly string[],
  { folder, env, input, interruptAt, isClosed }: RunOptions,
): Promise<Printed> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: folder,
    env: { PATH, NODE_COMPILE_CACHE, HOME: folder, ...env },
  });
  const printed = { stdout: '', stderr: '' };
  let isInterrupted = false;
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk) => {
      printed[name] += String(chunk);
      if (interruptAt === undefined || isInterrupted || !printed[name].includes(interruptAt)) return;
      isInterrupted = true;
      child.kill('SIGINT');
    });
  if (isClosed) child.stdout.destroy();
  child.stdin.end(input ?? '');
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...printed };
}
