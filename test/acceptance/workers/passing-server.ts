/**
 * A stock streaming server, run as a worker with `protocol: http`. It forwards the stream of the URL in the
 * request body.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') return void response.end('ready');
  const { url } = JSON.parse(await text(request)) as { url: string };
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const upstream = await fetch(url, { signal: gone.signal });
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  if (upstream.body) for await (const piece of Readable.fromWeb(upstream.body)) response.write(piece);
  response.end();
}

const server = createServer((request, response) => {
  passOn(request, response).catch(() => response.destroy());
}).listen(Number(process.env.PORT));
await once(server, 'listening');
