/** Starts local receivers whose responses a test defines byte by byte. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

export interface Receiver {
  readonly port: number;
  /** The data received over all connections. */
  readonly received: string;
  /** Number of connections. */
  readonly connections: number;
  stop(): Promise<void>;
}

/** @param converse is called once for each connection, as soon as the head of the request has arrived */
export async function startReceiver(
  converse: (socket: Socket) => void,
  server: Server = createServer(),
  host = '127.0.0.1',
): Promise<Receiver> {
  const sockets = new Set<Socket>();
  let received = '';
  let connections = 0;
  server.on(
    server.listenerCount('secureConnection') || 'setSecureContext' in server ? 'secureConnection' : 'connection',
    (socket: Socket) => {
      sockets.add(socket);
      connections += 1;
      let head = '';
      socket.setEncoding('utf8');
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
      socket.on('data', (chunk) => {
        received += chunk;
        if (head.includes('\r\n\r\n')) return;
        head += chunk;
        if (head.includes('\r\n\r\n')) converse(socket);
      });
    },
  );
  server.listen(0, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get received() {
      return received;
    },
    get connections() {
      return connections;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

export const answer = (status: string, headers = '', body = ''): string =>
  `HTTP/1.1 ${status}\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
