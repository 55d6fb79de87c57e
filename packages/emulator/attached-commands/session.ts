/** The session of an attached command in its terminal. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { LocalError } from '../local-error.ts';
import { LOOPBACK } from '../network/ports.ts';
import { type Command, startCommand } from './command.ts';
import { createLink, type FromService, type FromTerminal, fromService, type Link } from './messages.ts';

/** Address of the attach server, from the outputs file. */
export interface Place {
  readonly port: number;
  readonly secret: string;
}

/** The command to attach. */
export interface AttachedCommand {
  /** Name of the service, if the user gave one. */
  readonly service?: string | undefined;
  /** A program and its arguments. */
  readonly command: readonly [string, ...string[]];
  /** Absolute path of the folder in which the command runs. */
  readonly folder: string;
}

/** A task in which the command runs. */
export interface AttachedTask {
  readonly id: string;
  /** Path of the log of the task's first container. */
  readonly sidecarLog: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The messages of a session that name what the service does. */
export interface SessionTexts {
  /** The command that starts the service, as the user types it. */
  readonly serviceCommand: string;
  /** Returns the reason why the command is not attached. */
  unknownService(services: readonly string[]): string;
  /** Returns the messages when the command has started. */
  started(task: AttachedTask): readonly string[];
  /** The message when the user has killed the command. */
  readonly killed: string;
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
/** Milliseconds that the command gets to exit after the service has stopped. */
const LAST_GRACE = 5_000;

async function reach({ port }: Place): Promise<Socket> {
  const socket = connect(port, LOOPBACK);
  await once(socket, 'connect');
  return socket;
}

/**
 * Attaches a command.
 * @param print prints a message for the user
 * @throws LocalError if the service is not running
 */
export async function openSession(
  { service, command: args, folder }: AttachedCommand,
  place: Place | undefined,
  texts: SessionTexts,
  print: (text: string) => void,
): Promise<Session> {
  const socket = place && (await reach(place).catch(() => undefined));
  if (!place || !socket)
    throw new LocalError(`\`${texts.serviceCommand}\` is not running: start it in another terminal.`);
  const link: Link<FromTerminal, FromService> = createLink(socket, fromService);
  const { promise: over, resolve: end } = Promise.withResolvers<number>();
  let command: Command | undefined;
  let exitCode: number | undefined;
  let interrupted = false;

  async function run(task: AttachedTask): Promise<void> {
    command = startCommand(args, folder, task.environment);
    if (command.pid !== undefined) {
      link.send({ type: 'started', pid: command.pid });
      for (const text of texts.started(task)) print(text);
    }
    const { how, exitCode: code } = await command.ended;
    exitCode = code ?? NOT_STARTED;
    print(code === undefined ? `The command could not be started: ${how}.` : `The command exited with ${how}.`);
    link.send({ type: 'ended', how, ...(code !== undefined && { exitCode: code }) });
  }

  link.onMessage((message) => {
    if (message.type === 'refused') {
      print(texts.unknownService(message.services));
      end(1);
    } else if (message.type === 'run') {
      const { task: id, sidecarLog, environment } = message;
      void run({ id, sidecarLog, environment });
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
      print(`\`${texts.serviceCommand}\` has stopped, so the command gets SIGTERM.`);
      command.stop();
      await Promise.race([command.ended, delay(LAST_GRACE)]);
      command.crash();
    }
    end(1);
  });

  link.send({ type: 'attach', secret: place.secret, ...(service !== undefined && { service }) });
  return {
    over,
    interrupt() {
      if (interrupted) {
        print(texts.killed);
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
