/** The command in its author's terminal: its environment, its process, and how it ends. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { ContainerEnd } from '../ecs/container.ts';
import { kill } from '../state/processes.ts';

export interface Command {
  /** Nothing if it could not be started. */
  readonly pid: number | undefined;
  readonly ended: Promise<ContainerEnd>;
  /** Asks it to end, as ECS asks a container: its main process alone. */
  stop(): void;
  /** Ends it and all that it started. */
  crash(): void;
}

/**
 * What the author has set, and over it what a container is told. The author's own AWS settings would win over the
 * task's, so there are none.
 */
const environmentOf = (own: NodeJS.ProcessEnv, told: Readonly<Record<string, string>>) => ({
  ...Object.fromEntries(Object.entries(own).filter(([name]) => !name.startsWith('AWS_'))),
  ...told,
});

/**
 * Its output is the terminal's. It leads a group of its own: Ctrl-C is for us, who end it as ECS ends a container, so it
 * has no input either.
 */
export function startCommand(
  [program, ...args]: readonly [string, ...string[]],
  folder: string,
  told: Readonly<Record<string, string>>,
): Command {
  const child = spawn(program, args, {
    cwd: folder,
    env: environmentOf(process.env, told),
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const { pid } = child;
  const { promise: ended, resolve } = Promise.withResolvers<ContainerEnd>();
  let runs = pid !== undefined;
  child.once('error', (error) => resolve({ how: error.message }));
  child.once('exit', (code, signal) => {
    if (pid !== undefined) kill(-pid, 'SIGKILL');
    runs = false;
    if (signal === null) resolve({ how: `exit code ${code}`, exitCode: code ?? 0 });
    else resolve({ how: `signal ${signal}`, exitCode: 128 + constants.signals[signal] });
  });
  return {
    pid,
    ended,
    stop: () => void (pid !== undefined && runs && kill(pid, 'SIGTERM')),
    crash: () => void (pid !== undefined && runs && kill(-pid, 'SIGKILL')),
  };
}
