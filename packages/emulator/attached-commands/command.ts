/** The process of an attached command: its environment, its start and its exit. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { ContainerEnd } from '../ecs/container.ts';
import { kill } from '../state/processes.ts';

export interface Command {
  /** Undefined if the command could not be started. */
  readonly pid: number | undefined;
  readonly ended: Promise<ContainerEnd>;
  /** Sends SIGTERM to the main process only, as ECS does with a container. */
  stop(): void;
  /** Kills the main process and all processes that it started. */
  crash(): void;
}

/**
 * Returns the user's variables, overridden by those of the container. The user's own AWS settings are removed,
 * because they would override the task's.
 */
const environmentOf = (own: NodeJS.ProcessEnv, container: Readonly<Record<string, string>>) => ({
  ...Object.fromEntries(Object.entries(own).filter(([name]) => !name.startsWith('AWS_'))),
  ...container,
});

/**
 * Starts the command, whose output goes to the terminal. The command leads a separate process group, because this
 * program handles Ctrl-C and stops the command as ECS stops a container. The command therefore has no standard
 * input.
 */
export function startCommand(
  [program, ...args]: readonly [string, ...string[]],
  folder: string,
  environment: Readonly<Record<string, string>>,
): Command {
  const child = spawn(program, args, {
    cwd: folder,
    env: environmentOf(process.env, environment),
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
