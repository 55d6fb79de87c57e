/** An address of loopback that answers HTTP requests. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { LocalError } from '../local-error.ts';
import { LOOPBACK } from './ports.ts';

/** Answers a request. If it rejects, the connection ends without a response. */
export type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

export interface Address {
  readonly port: number;
  /** Until this is called every request is answered 503. */
  serve(listener: Listener): void;
  stop(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  /** Names may repeat. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Chunks are sent as they come. */
  readonly body: string | Buffer | AsyncIterable<Buffer>;
}

const HEADERS_TIMEOUT = 10_000;
const REQUEST_TIMEOUT = 60_000;
/** Longer than clients keep a connection: who closes first must not be us, or a request that is on its way is lost. */
const KEEP_ALIVE_TIMEOUT = 65_000;

const starting: Answer = {
  status: 503,
  headers: [['Content-Type', 'application/json']],
  body: JSON.stringify({ message: 'The local service is starting.' }),
};

/** Resolves when everything is sent. @throws the error of the body, or of the connection */
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
 * @param wanted 0 is any free port
 * @throws LocalError if the port cannot be had
 */
export async function openAddress(wanted: number): Promise<Address> {
  let listener: Listener = (_, outgoing) => send(outgoing, starting);
  const server = createServer((incoming, outgoing) => {
    listener(incoming, outgoing).then(
      // Many clients read no answer before they have sent all: what is left of the request is dropped.
      () => incoming.unpipe().resume(),
      () => outgoing.destroy(),
    );
  });
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
        `Port ${wanted} is in use: stop what listens there, or choose another, as in PORT=${wanted + 1}.`,
      );
    throw new LocalError(`Port ${wanted} cannot be used: ${reason}.`);
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

/** Opens the wanted port, or any other if it cannot be had. */
export const openPreferred = (wanted = 0): Promise<Address> => openAddress(wanted).catch(() => openAddress(0));
