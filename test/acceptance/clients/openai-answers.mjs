/**
 * Answers as a small OpenAI server. The last message of a chat chooses: `weather` calls a tool, `count N` streams N
 * words, `forever` streams until the client disconnects, `slow MS` waits, `fail` and `busy` are errors. If `user`
 * contains a path, the server writes a line to that file when a chat starts or fails, and when the chat ends or
 * the client disconnects.
 */
import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const MODEL = 'qwen';
const USAGE = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
const BETWEEN_WORDS = 50;

const errorOf = (status, type, message) => ({
  status,
  json: { error: { message, type, param: null, code: status } },
});

const head = (object) => ({ id: 'chatcmpl-1', object, created: 1, model: MODEL });

/** Yields the model's text, one piece at a time. */
async function* words(command, number, signal) {
  if (command === 'weather') {
    const call = { index: 0, id: 'call_1', type: 'function' };
    yield { role: 'assistant', tool_calls: [{ ...call, function: { name: 'get_weather', arguments: '{"city":' } }] };
    yield { tool_calls: [{ index: 0, function: { arguments: ' "Paris"}' } }] };
    return;
  }
  const endless = command === 'forever';
  const pieces = command === 'count' || endless ? undefined : ['Hello', ' from', ' qwen', '.'];
  for (let n = 0; endless || n < (pieces?.length ?? number); n += 1) {
    if (!pieces && n > 0) await delay(BETWEEN_WORDS, undefined, { signal });
    yield { ...(n === 0 && { role: 'assistant' }), content: pieces?.[n] ?? `${n} ` };
  }
}

function plain(command) {
  const tool = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city": "Paris"}' } };
  const [message, finish] =
    command === 'weather'
      ? [{ role: 'assistant', content: null, tool_calls: [tool] }, 'tool_calls']
      : [{ role: 'assistant', content: 'Hello from qwen.' }, 'stop'];
  return { ...head('chat.completion'), choices: [{ index: 0, message, finish_reason: finish }], usage: USAGE };
}

async function* events({ command, number, log, withUsage, signal }) {
  const event = (fields) => `data: ${JSON.stringify({ ...head('chat.completion.chunk'), ...fields })}\n\n`;
  try {
    for await (const delta of words(command, number, signal))
      yield event({ choices: [{ index: 0, delta, finish_reason: null }] });
    const finish = command === 'weather' ? 'tool_calls' : 'stop';
    yield event({ choices: [{ index: 0, delta: {}, finish_reason: finish }] });
    if (withUsage) yield event({ choices: [], usage: USAGE });
    yield 'data: [DONE]\n\n';
    log('end');
  } finally {
    if (signal.aborted) log('left');
  }
}

async function chat(body, signal) {
  if (body.model !== MODEL) return errorOf(404, 'NotFoundError', `The model \`${body.model}\` does not exist.`);
  const text = body.messages?.at(-1)?.content;
  if (typeof text !== 'string') return errorOf(400, 'BadRequestError', '`messages` must have a message.');
  const [command, number] = text.split(' ');
  const log = (event) => body.user && appendFileSync(body.user, `${event} ${Date.now()}\n`);
  if (command === 'fail') {
    log('fail');
    return errorOf(500, 'InternalServerError', 'CUDA error: out of memory');
  }
  if (command === 'busy') return errorOf(429, 'RateLimitError', 'Too many requests.');
  log('start');
  if (command === 'slow') await delay(Number(number), undefined, { signal });
  const withUsage = body.stream_options?.include_usage === true;
  if (body.stream) return { status: 200, events: events({ command, number: Number(number), log, withUsage, signal }) };
  return { status: 200, json: plain(command) };
}

const numbers = [0.25, -0.5, 1];

/** Encodes embeddings in base64 unless the client requests floats. The SDKs request base64 by default. */
const vectorOf = (format) =>
  format === 'base64' ? Buffer.from(new Float32Array(numbers).buffer).toString('base64') : numbers;

function embeddings({ input, encoding_format: format }) {
  const data = [input].flat().map((_, index) => ({ object: 'embedding', index, embedding: vectorOf(format) }));
  return { object: 'list', model: MODEL, data, usage: { prompt_tokens: 3, total_tokens: 3 } };
}

/**
 * Answers a request.
 * @param route path that starts with `/v1`
 * @param signal aborted when the client has disconnected
 * @param method of the request
 * @returns a status with `json`, or with `events`, the strings of a stream
 */
export async function answer(route, body, signal, method = 'POST') {
  const [, file] = /^\/v1\/files\/(.+)$/.exec(route) ?? [];
  if (file && method === 'DELETE') return { status: 200, json: { id: file, object: 'file', deleted: true } };
  if (route === '/v1/models')
    return {
      status: 200,
      json: { object: 'list', data: [{ id: MODEL, object: 'model', created: 1, owned_by: 'us' }] },
    };
  if (route === '/v1/chat/completions') return chat(body, signal);
  if (route === '/v1/embeddings') return { status: 200, json: embeddings(body) };
  return errorOf(404, 'NotFoundError', `There is no ${route}.`);
}
