/**
 * An example of an HTTP server as a worker. It needs no code of this project: the input of a job is the body of a
 * request, and its field `op` selects the response. Without `op`, the response is the body. A call below `/v1/` without
 * a body gets its method and path.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Streams `chunks` numbers, `ms` apart, each in the format of `frame`. */
async function send({ chunks = 3, ms = 0 }, response, frame) {
  for (let n = 0; n < chunks; n += 1) {
    if (n > 0) await delay(ms);
    if (!response.write(frame(JSON.stringify({ n })))) await once(response, 'drain');
  }
}

const operations = {
  echo: (_, response, body) => response.writeHead(200, JSON_TYPE).end(body),

  /** Sleeps for `ms`, or until the caller closes the connection. */
  async sleep({ ms = 1_000 }, response) {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    await delay(ms, undefined, { signal: gone.signal });
    response.writeHead(200, JSON_TYPE).end(JSON.stringify({ slept: ms }));
  },

  async lines(input, response) {
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    await send(input, response, (chunk) => `${chunk}\n`);
    response.end();
  },

  async events(input, response) {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    await send(input, response, (chunk) => `data: ${chunk}\n\n`);
    response.end('data: [DONE]\n\n');
  },

  fail({ status = 500, message = 'The input requested a failure.' }, response) {
    response.writeHead(status, { 'Content-Type': 'text/plain' }).end(message);
  },

  /** Exits as if the process had run out of memory. */
  die: () => process.kill(process.pid, 'SIGKILL'),
};

/** Returns undefined if the body is not a JSON object. */
function inputFrom(body) {
  try {
    const input = JSON.parse(body);
    return typeof input === 'object' && input !== null ? input : undefined;
  } catch {
    return undefined;
  }
}

async function answer(request, response) {
  if (request.url === '/health') return response.writeHead(200).end();
  const body = await text(request);
  if (body === '') {
    const { method, url: path } = request;
    // A wrong `healthPath` must not get 200, or the endpoint would not show that it is wrong.
    if (!path.startsWith('/v1/'))
      return response.writeHead(404, { 'Content-Type': 'text/plain' }).end(`There is no path ${path}.`);
    // Such as `GET /v1/models`.
    return response.writeHead(200, JSON_TYPE).end(JSON.stringify({ method, path }));
  }
  const input = inputFrom(body);
  if (!input) return response.writeHead(400).end('The body must be a JSON object.');
  const { op = 'echo' } = input;
  if (Object.hasOwn(operations, op)) return operations[op](input, response, body);
  return response.writeHead(400).end(`\`op\` must be one of ${Object.keys(operations).join(', ')}, got ${op}.`);
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => response.destroy(error));
}).listen(Number(process.env.PORT ?? 8000));

// Completes the open requests. The process then exits, because it has nothing left to do.
process.once('SIGTERM', () => server.close());
