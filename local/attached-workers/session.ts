/** The session of an attached command in its terminal. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { LocalError } from '../local-error.ts';
import { LOOPBACK } from '../network/ports.ts';
import { type Command, startCommand } from './command.ts';
import { createLink, type FromService, type FromTerminal, fromService, type Link } from './messages.ts';
import type { Options } from './options.ts';

/** Address of the attach server, from the outputs file. */
export interface Place {
  readonly port: number;
  readonly secret: string;
}

export interface Session {
  /** Handles Ctrl-C: the first one sends SIGTERM to the command, and the second one kills it. */
  interrupt(): void;
  /** Resolves with the exit code when the session is over. */
  readonly over: Promise<number>;
}

/** The exit code of shells for a command that is not found. */
const NOT_STARTED = 127;
const INTERRUPTED = 130;
/** Milliseconds that the command gets to exit after `npm start` has stopped. */
const LAST_GRACE = 5_000;

async function reach({ port }: Place): Promise<Socket> {
  const socket = connect(port, LOOPBACK);
  await once(socket, 'connect');
  return socket;
}

/**
 * Attaches the command in the options.
 * @param tell prints a message for the user
 * @throws LocalError if `npm start` is not running
 */
export async function openSession(
  { endpoint, command: args, folder }: Options,
  place: Place | undefined,
  print: (text: string) => void,
): Promise<Session> {
  const socket = place && (await reach(place).catch(() => undefined));
  if (!place || !socket) throw new LocalError('`npm start` is not running: start it in another terminal.');
  const link: Link<FromTerminal, FromService> = createLink(socket, fromService);
  const { promise: over, resolve: end } = Promise.withResolvers<number>();
  let command: Command | undefined;
  let exitCode: number | undefined;
  let interrupted = false;

  async function run(worker: string, agentLog: string, environment: Record<string, string>): Promise<void> {
    command = startCommand(args, folder, environment);
    if (command.pid !== undefined) {
      link.send({ type: 'started', pid: command.pid });
      const port = 'PORT' in environment ? ` Its server must listen on PORT ${environment.PORT}.` : '';
      print(`${args.join(' ')} is worker ${worker} of ${environment.ENDPOINT_ID}.${port}`);
      print(`The agent's log is ${agentLog}. Ctrl-C sends SIGTERM to the command, and a second Ctrl-C kills it.`);
    }
    const { how, exitCode: code } = await command.ended;
    exitCode = code ?? NOT_STARTED;
    print(code === undefined ? `The command could not be started: ${how}.` : `The command exited with ${how}.`);
    link.send({ type: 'ended', how, ...(code !== undefined && { exitCode: code }) });
  }

  link.onMessage((message) => {
    if (message.type === 'refused') {
      print(message.reason);
      end(1);
    } else if (message.type === 'run') {
      void run(message.worker, message.agentLog, message.environment);
    } else if (message.type === 'stop') {
      // Unless the user pressed Ctrl-C in this session, the service stops the task.
      if (!interrupted) print('The service stops the task.');
      command?.stop();
    } else {
      // If the command has exited, its exit was printed already.
      if (exitCode === undefined) print(`The task has stopped: ${message.reason}.`);
      end(interrupted ? 0 : (exitCode ?? 1));
    }
  });

  void link.closed.then(async () => {
    if (command && exitCode === undefined) {
      print('`npm start` has stopped, so the command gets SIGTERM.');
      command.stop();
      await Promise.race([command.ended, delay(LAST_GRACE)]);
      command.crash();
    }
    end(1);
  });

  link.send({ type: 'attach', secret: place.secret, ...(endpoint !== undefined && { endpoint }) });
  return {
    over,
    interrupt() {
      if (interrupted) {
        print('The command was killed. Its jobs are queued again.');
        command?.crash();
        end(INTERRUPTED);
        return;
      }
      interrupted = true;
      print('Stopping: the command gets SIGTERM. A second Ctrl-C kills it.');
      link.send({ type: 'leave' });
    },
  };
}
