/** The messages between `npm start` and a terminal with an attached command. Each message is a line of JSON. */

import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import * as z from 'zod/mini';

/** Messages from the terminal. A closed connection means that the terminal is gone. */
export const fromTerminal = z.discriminatedUnion('say', [
  /** The first message. The secret is in the outputs file, which only this user can read. */
  z.strictObject({ say: z.literal('attach'), secret: z.string(), endpoint: z.optional(z.string()) }),
  z.strictObject({ say: z.literal('started'), pid: z.int() }),
  /**
   * `how` describes the exit for people, such as `exit code 1`. A command that could not be started has no exit
   * code.
   */
  z.strictObject({ say: z.literal('ended'), how: z.string(), exitCode: z.optional(z.int()) }),
  /** Reports that the user pressed Ctrl-C. */
  z.strictObject({ say: z.literal('leave') }),
]);

/** Messages from `npm start`. */
export const fromService = z.discriminatedUnion('say', [
  z.strictObject({ say: z.literal('refused'), why: z.string() }),
  /** Starts the command: the agent is ready for it. `agentLog` is the path of the agent's log file. */
  z.strictObject({
    say: z.literal('run'),
    worker: z.string(),
    agentLog: z.string(),
    environment: z.record(z.string(), z.string()),
  }),
  /** Stops the command with SIGTERM. */
  z.strictObject({ say: z.literal('stop') }),
  /** Reports that the task has stopped: its jobs have ended or are queued again. */
  z.strictObject({ say: z.literal('over'), why: z.string() }),
]);

export type FromTerminal = z.output<typeof fromTerminal>;
export type FromService = z.output<typeof fromService>;

/** One side of the connection. */
export interface Link<Said, Heard> {
  say(word: Said): void;
  hear(listener: (word: Heard) => void): void;
  /** Resolves when either side has closed the connection. */
  readonly closed: Promise<void>;
  /** Closes the connection after the messages are sent. */
  close(): void;
}

/**
 * Creates a link over the socket. A line that does not match `words` closes the link, because another program sent
 * it.
 */
export function createLink<Said, Heard>(socket: Socket, words: z.ZodMiniType<Heard>): Link<Said, Heard> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  socket.once('close', () => resolve());
  // An error is followed by `close`, which is handled.
  socket.on('error', () => undefined);
  return {
    closed,
    say: (word) => void socket.write(`${JSON.stringify(word)}\n`),
    hear(listener) {
      createInterface({ input: socket }).on('line', (line) => {
        const word = parse(line, words);
        if (word === undefined) socket.destroy();
        else listener(word);
      });
    },
    close: () => void socket.end(),
  };
}

function parse<Heard>(line: string, words: z.ZodMiniType<Heard>): Heard | undefined {
  try {
    return z.parse(words, JSON.parse(line));
  } catch {
    return undefined;
  }
}
