import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Container, ContainerEnd } from '../ecs/container.ts';
import { kill } from '../state/processes.ts';
import type { FromTerminal } from './messages.ts';

export interface Terminal {
  /** Sends the terminal the message to stop the command. */
  stop(): void;
  /** Resolves when the terminal has closed its connection. */
  readonly gone: Promise<void>;
}

export interface AttachedContainer extends Container {
  /** Handles a message from the terminal about its command. */
  receive(message: FromTerminal): void;
}

/**
 * Creates a container whose process runs in a terminal. The terminal starts and stops the process, and reports its
 * exit.
 */
export function createAttachedContainer({ stop, gone }: Terminal): AttachedContainer {
  const { promise: ended, resolve } = Promise.withResolvers<ContainerEnd>();
  /** Id of the command's process, which leads a process group; undefined unless the process is running. */
  let pid: number | undefined;
  let asked = false;
  let over = false;

  function end(how: ContainerEnd): void {
    over = true;
    pid = undefined;
    resolve(how);
  }

  function crash(): void {
    if (pid !== undefined) kill(-pid, 'SIGKILL');
    end({ how: 'signal SIGKILL', exitCode: 128 + constants.signals.SIGKILL });
  }

  void gone.then(crash);
  return {
    ended,
    crash,
    receive(message) {
      if (message.type === 'started') pid = message.pid;
      if (message.type === 'ended')
        end({ how: message.how, ...(message.exitCode !== undefined && { exitCode: message.exitCode }) });
    },
    async stop(grace) {
      if (over) return;
      if (!asked) stop();
      asked = true;
      const waiting = new AbortController();
      const overdue = delay(grace, true, { signal: waiting.signal }).catch(() => false);
      if (await Promise.race([overdue, ended.then(() => false)])) crash();
      waiting.abort();
      await ended;
    },
  };
}
