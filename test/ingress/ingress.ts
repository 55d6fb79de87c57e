/** Starts the servers of the ingress on free ports, over the emulated deployment, and connections for raw HTTP. */
import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Ports } from '../../aws/ports.ts';
import { gatewayHeaders, INTEGRATION_PATH } from '../../core/http/ingress.ts';
import { waitingOperations } from '../../core/operations/table.ts';
import { createHandlers } from '../../ingress/handlers.ts';
import { createMemory, type Memory } from '../../ingress/memory.ts';
import { beginnings, createPaths } from '../../ingress/paths.ts';
import { createBodyReader } from '../../ingress/request-body.ts';
import {
  createIngressServer,
  directListener,
  gatewayListener,
  type IngressParts,
  type Listener,
  listen,
} from '../../ingress/server.ts';

export interface Ingress {
  /** Base address of requests that come from API Gateway, with the stage. */
  readonly gateway: string;
  /** Base address of requests that come from the distribution, with the stage. */
  readonly direct: string;
  readonly servers: readonly Server[];
  /** The internal failures that the servers reported. */
  readonly failures: object[];
  stop(): Promise<void>;
}

const find = createPaths(waitingOperations, beginnings.distribution);

/** Returns the operation and the endpoint that the authorizer has permitted, or undefined for an unknown path. */
function permittedBy({ method = '', url = '' }: IncomingMessage) {
  try {
    return find(method, url.replace(/\?.*$/s, ''));
  } catch {
    return undefined;
  }
}

/**
 * Changes a request as the integration of API Gateway does: its path, and the headers that name what the authorizer has
 * permitted, unless the test sends them.
 */
function integrate(incoming: IncomingMessage): void {
  const { url = '', headersDistinct } = incoming;
  const target = permittedBy(incoming);
  incoming.url = url.replace(/^\/v2\//, `${INTEGRATION_PATH}/`);
  if (!target) return;
  headersDistinct[gatewayHeaders.operation] ??= [target.operation];
  headersDistinct[gatewayHeaders.endpoint] ??= [encodeURIComponent(target.endpoint)];
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/**
 * @param parts parts that replace those of the product
 * @param bounds limits and memory that replace those of both servers
 */
export async function startIngress(
  ports: Ports,
  parts: Partial<IngressParts> = {},
  { memory = createMemory(), ...bounds }: Partial<Pick<Listener, 'maxOpenCalls'>> & { readonly memory?: Memory } = {},
): Promise<Ingress> {
  const failures: object[] = [];
  let calls = 0;
  const all: IngressParts = {
    handlers: createHandlers(ports, memory),
    bodies: createBodyReader(memory),
    open: {
      count: () => calls,
      begin: () => {
        calls += 1;
      },
      end: () => {
        calls -= 1;
      },
      stop: () => undefined,
    },
    origin: undefined,
    onFailure: (failure) => failures.push(failure),
    onTraced: () => undefined,
    isDraining: () => false,
    ...parts,
  };
  const servers = [
    createIngressServer(all, { ...gatewayListener, ...bounds }),
    createIngressServer(all, { ...directListener(ports), ...bounds }),
  ] as const;
  servers[0].prependListener('request', integrate);
  for (const server of servers) await listen(server, 0, '127.0.0.1');
  const [gateway, direct] = servers.map((server) => `http://127.0.0.1:${portOf(server)}/v2`);
  return {
    gateway: gateway ?? '',
    direct: direct ?? '',
    servers,
    failures,
    async stop() {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

export interface RawConnection {
  readonly socket: Socket;
  /** Resolves when one side has closed the connection. */
  readonly closed: Promise<void>;
  received(): string;
}

/** Opens a connection and collects the text that it receives. */
export async function rawConnection(base: string): Promise<RawConnection> {
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk) => {
    received += String(chunk);
  });
  socket.on('error', () => undefined);
  // A server that drops a connection might reset it. The socket emits `close` in both cases.
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await once(socket, 'connect');
  return { socket, received: () => received, closed };
}
