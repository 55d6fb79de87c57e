/**
 * A worker that is a plain HTTP server without an SDK. `do` in the input selects its action, for `ms` milliseconds
 * or until the file `until` exists.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

const attemptOf = ({ headers }) => Number(headers['x-job-attempt']);

function log(request, input, event) {
  const line = { job: request.headers['x-job-id'], attempt: attemptOf(request), pid: process.pid, event };
  if (input.log !== undefined) appendFileSync(input.log, `${JSON.stringify(line)}\n`);
}

const started = (file) => readFileSync(file, 'utf8').split('start').length - 1;

function secretOf({ headers }) {
  const { accessSecret } = JSON.parse(Buffer.from(headers['x-job-s3-config'], 'base64').toString());
  return createHash('sha256').update(accessSecret).digest('hex');
}

const json = (response, value, status = 200) =>
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));

/** Outputs for each value of `do`. Without `do`, the response contains the input. */
const ends = {
  raise() {
    throw new Error('no such model');
  },
  error: ({ response }) => json(response, { error: 'the prompt is empty' }, 422),
  unserializable: ({ response }) => response.writeHead(200, { 'Content-Type': 'text/plain' }).end('{1, 2}'),
  nothing: ({ response }) => response.writeHead(204).end(),
  large: ({ response, input }) => json(response, 'x'.repeat(input.size)),
  s3: ({ response, request }) => json(response, secretOf(request)),
  effect: ({ response, request }) => json(response, { attempt: attemptOf(request), pid: process.pid }),
  refresh({ response }) {
    response.once('finish', () => process.exit());
    json(response, { done: true });
  },
};

const isHeld = ({ until }) => until !== undefined && !existsSync(until);

async function stream({ input, response }) {
  response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
  for (let n = 0; n < input.chunks; n += 1) {
    if (n > 0) await delay(input.ms ?? 0);
    while (n > 0 && isHeld(input)) await delay(100);
    if (input.fail === n) throw new Error('the stream broke');
    if (!response.write(`${JSON.stringify({ n })}\n`)) await once(response, 'drain');
  }
  response.end();
}

async function answer(request, response) {
  if (request.url === '/health') return response.writeHead(200).end();
  const input = JSON.parse(await text(request));
  if (input.do === 'stream') return stream({ input, response });
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  log(request, input, 'start');
  while (input.do === 'meet' && started(input.log) < 4) await delay(100);
  while (input.do === 'compute' && isHeld(input));
  while (isHeld(input)) await delay(100, undefined, { signal: gone.signal });
  if (input.do === 'compute') for (const end = Date.now() + input.ms; Date.now() < end; );
  else await delay(input.ms ?? 0, undefined, { signal: gone.signal });
  log(request, input, 'effect');
  if (ends[input.do]) return ends[input.do]({ request, response, input });
  return json(response, { echo: input });
}

createServer((request, response) => {
  answer(request, response).catch((error) => {
    // Behaves as frameworks do: with a status if the response has not begun, otherwise with a broken connection.
    if (response.headersSent) response.destroy(error);
    else response.writeHead(500, { 'Content-Type': 'text/plain' }).end(error.message);
  });
}).listen(Number(process.env.PORT));
