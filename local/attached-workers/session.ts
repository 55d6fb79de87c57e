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
  tell: (text: string) => void,
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
      link.say({ say: 'started', pid: command.pid });
      const port = 'PORT' in environment ? ` Its server must listen on PORT ${environment.PORT}.` : '';
      tell(`${args.join(' ')} is worker ${worker} of ${environment.ENDPOINT_ID}.${port}`);
      tell(`The agent's log is ${agentLog}. Ctrl-C sends SIGTERM to the command, and a second Ctrl-C kills it.`);
    }
    const { how, exitCode: code } = await command.ended;
    exitCode = code ?? NOT_STARTED;
    tell(code === undefined ? `The command could not be started: ${how}.` : `The command exited with ${how}.`);
    link.say({ say: 'ended', how, ...(code !== undefined && { exitCode: code }) });
  }

  link.hear((message) => {
    if (message.say === 'refused') {
      tell(message.reason);
      end(1);
    } else if (message.say === 'run') {
      void run(message.worker, message.agentLog, message.environment);
    } else if (message.say === 'stop') {
      // Unless the user pressed Ctrl-C in this session, the service stops the task.
      if (!interrupted) tell('The service stops the task.');
      command?.stop();
    } else {
      // If the command has exited, its exit was printed already.
      if (exitCode === undefined) tell(`The task has stopped: ${message.reason}.`);
      end(interrupted ? 0 : (exitCode ?? 1));
    }
  });

  void link.closed.then(async () => {
    if (command && exitCode === undefined) {
      tell('`npm start` has stopped, so the command gets SIGTERM.');
      command.stop();
      await Promise.race([command.ended, delay(LAST_GRACE)]);
      command.crash();
    }
    end(1);
  });

  link.say({ say: 'attach', secret: place.secret, ...(endpoint !== undefined && { endpoint }) });
  return {
    over,
    interrupt() {
      if (interrupted) {
        tell('The command was killed. Its jobs are queued again.');
        command?.crash();
        end(INTERRUPTED);
        return;
      }
      interrupted = true;
      tell('Stopping: the command gets SIGTERM. A second Ctrl-C kills it.');
      link.say({ say: 'leave' });
    },
  };
}
