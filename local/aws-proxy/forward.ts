/** Forwards requests to the emulators over persistent connections. */
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { AwsFault } from './aws-fault.ts';

export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

export interface Forwarder {
  /**
   * Resolves with the head of the response. If the caller closes the connection, the request is aborted: a long
   * poll without a caller would receive the next message and lose it.
   * @param body replaces the caller's body, which is streamed by default
   * @throws AwsFault if the emulator does not respond
   */
  forward(exchange: Exchange, origin: string, body?: Buffer): Promise<IncomingMessage>;
  close(): void;
}

/** Headers that apply to one connection only. */
const OF_ONE_HOP = ['connection', 'keep-alive', 'expect', 'upgrade'];

export function endToEnd(headers: IncomingHttpHeaders, ...others: readonly string[]): IncomingHttpHeaders {
  const dropped = [...OF_ONE_HOP, ...others];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.includes(name)));
}

export function createForwarder(): Forwarder {
  const agent = new Agent({ keepAlive: true });
  return {
    forward({ incoming, outgoing }, origin, body) {
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      const headers = body
        ? { ...endToEnd(incoming.headers, 'transfer-encoding'), 'content-length': body.length }
        : endToEnd(incoming.headers);
      const { hostname, port } = new URL(origin);
      const upstream = request({ agent, hostname, port, method: incoming.method, path: incoming.url, headers });
      upstream.once('response', resolve);
      upstream.on('error', (error) => {
        const message = `The emulator at ${origin} did not respond: ${error.message}`;
        reject(new AwsFault(503, 'ServiceUnavailable', message));
      });
      outgoing.once('close', () => {
        if (!outgoing.writableFinished) upstream.destroy();
      });
      if (body) upstream.end(body);
      else incoming.pipe(upstream);
      return promise;
    },
    close: () => agent.destroy(),
  };
}
