/** The messages between `npm start` and a terminal with an attached command. Each message is a line of JSON. */

import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import * as z from 'zod/mini';

/** Messages from the terminal. A closed connection means that the terminal is gone. */
export const fromTerminal = z.discriminatedUnion('type', [
  /** The first message. The secret is in the outputs file, which only this user can read. */
  z.strictObject({ type: z.literal('attach'), secret: z.string(), service: z.optional(z.string()) }),
  z.strictObject({ type: z.literal('started'), pid: z.int() }),
  /**
   * `how` describes the exit for people, such as `exit code 1`. A command that could not be started has no exit
   * code.
   */
  z.strictObject({ type: z.literal('ended'), how: z.string(), exitCode: z.optional(z.int()) }),
  /** Reports that the user pressed Ctrl-C. */
  z.strictObject({ type: z.literal('leave') }),
]);

/** Messages from `npm start`. */
export const fromService = z.discriminatedUnion('type', [
  /** There is no service of that name. */
  z.strictObject({ type: z.literal('refused'), services: z.array(z.string()) }),
  /** Starts the command: its sidecar is ready for it. `sidecarLog` is the path of the log of the first container. */
  z.strictObject({
    type: z.literal('run'),
    task: z.string(),
    sidecarLog: z.string(),
    environment: z.record(z.string(), z.string()),
  }),
  /** Stops the command with SIGTERM. */
  z.strictObject({ type: z.literal('stop') }),
  /** Reports that the task has stopped. */
  z.strictObject({ type: z.literal('over'), reason: z.string() }),
]);

export type FromTerminal = z.output<typeof fromTerminal>;
export type FromService = z.output<typeof fromService>;

/** One side of the connection. */
export interface Link<Sent, Received> {
  send(message: Sent): void;
  onMessage(listener: (message: Received) => void): void;
  /** Resolves when either side has closed the connection. */
  readonly closed: Promise<void>;
  /** Closes the connection after the messages are sent. */
  close(): void;
}

/**
 * Creates a link over the socket. A line that does not match `schema` closes the link, because another program sent
 * it.
 */
export function createLink<Sent, Received>(socket: Socket, schema: z.ZodMiniType<Received>): Link<Sent, Received> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  socket.once('close', () => resolve());
  // An error is followed by `close`, which is handled.
  socket.on('error', () => undefined);
  return {
    closed,
    send: (message) => void socket.write(`${JSON.stringify(message)}\n`),
    onMessage(listener) {
      createInterface({ input: socket }).on('line', (line) => {
        const message = parse(line, schema);
        if (message === undefined) socket.destroy();
        else listener(message);
      });
    },
    close: () => void socket.end(),
  };
}

function parse<Received>(line: string, schema: z.ZodMiniType<Received>): Received | undefined {
  try {
    return z.parse(schema, JSON.parse(line));
  } catch {
    return undefined;
  }
}
