/** An HTTP server on a port of the loopback interface. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { LocalError } from '../local-error.ts';
import { LOOPBACK } from './ports.ts';

/** Responds to a request. If the promise rejects, the error is printed, and the connection is closed without a response. */
export type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

export interface Address {
  readonly port: number;
  /** Starts serving. Before this call, the response to every request is 503. */
  serve(listener: Listener): void;
  stop(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  /** Header pairs; names can repeat. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body; chunks are sent as they arrive. */
  readonly body: string | Buffer | AsyncIterable<Buffer>;
}

const HEADERS_TIMEOUT = 10_000;
const REQUEST_TIMEOUT = 60_000;
/**
 * Milliseconds for which an idle connection remains open, longer than clients keep it. If the server closed first,
 * a request that is being sent would be lost.
 */
const KEEP_ALIVE_TIMEOUT = 65_000;

const starting: Answer = {
  status: 503,
  headers: [['Content-Type', 'application/json']],
  body: JSON.stringify({ message: 'The local service is starting.' }),
};

/**
 * Sends a response. For a streamed body, resolves when the whole response is sent.
 * @throws the error of the body, or of the connection
 */
export async function send(outgoing: ServerResponse, { status, headers, body }: Answer): Promise<void> {
  for (const [name, value] of headers) outgoing.appendHeader(name, value);
  outgoing.statusCode = status;
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    outgoing.end(body);
    return;
  }
  outgoing.flushHeaders();
  await pipeline(body, outgoing);
}

/**
 * Handles a request after the responses to earlier requests of its connection are sent. A response has no socket until
 * then. A load balancer also handles them one by one, because the time that a client takes for one response must not
 * count for the next: a function would time out while its response waits behind others.
 */
function inTurn(outgoing: ServerResponse, handle: () => void): void {
  if (outgoing.socket) handle();
  else outgoing.once('socket', handle);
}

/** Prints the error of a response, unless the client has closed the connection. */
function report(error: unknown, { method, url, socket }: IncomingMessage, outgoing: ServerResponse): void {
  // A body that fails has destroyed the connection with its error.
  if (socket.destroyed && outgoing.errored !== error) return;
  // A query string can contain secrets.
  const [path] = (url ?? '').split('?');
  console.error(`The response to ${method} ${path} could not be completed.`, error);
}

/**
 * Listens on a port.
 * @param wanted port number; 0 means any free port
 * @throws LocalError if the port is not available
 */
export async function openAddress(wanted: number): Promise<Address> {
  let listener: Listener = (_, outgoing) => send(outgoing, starting);
  const respond = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    listener(incoming, outgoing).then(
      // Many clients read the response only after they have sent the whole request, so the rest of the request is
      // read and discarded.
      () => incoming.unpipe().resume(),
      (error: unknown) => {
        report(error, incoming, outgoing);
        outgoing.destroy();
      },
    );
  };
  const server = createServer((incoming, outgoing) => inTurn(outgoing, () => respond(incoming, outgoing)));
  server.on('checkContinue', (incoming, outgoing) =>
    inTurn(outgoing, () => {
      outgoing.writeContinue();
      respond(incoming, outgoing);
    }),
  );
  server.headersTimeout = HEADERS_TIMEOUT;
  server.requestTimeout = REQUEST_TIMEOUT;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT;
  server.listen(wanted, LOOPBACK);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code, message: reason } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new LocalError(
        `Port ${wanted} is in use: stop the process that listens there, or choose another port, as in PORT=${wanted + 1}.`,
        { cause: error },
      );
    throw new LocalError(`Port ${wanted} cannot be used: ${reason}.`, { cause: error });
  }
  return {
    port: (server.address() as AddressInfo).port,
    serve(next) {
      listener = next;
    },
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Listens on the wanted port, or on another free port if the wanted one is not available. */
export const openPreferred = (wanted = 0): Promise<Address> => openAddress(wanted).catch(() => openAddress(0));
