/**
 * Calls an endpoint with OpenAI's JavaScript SDK, and prints a JSON object with each result or error. OPENAI_BASE_URL
 * and OPENAI_API_KEY are the SDK's own variables; REFUSING_URL is a proxy to the endpoint that refuses every
 * second call, starting with the first, with a 429.
 */
import { readFileSync } from 'node:fs';
import OpenAI from 'openai';

const client = new OpenAI({ maxRetries: 0 });
const tools = [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object', properties: {} } } }];

const asked = (content, more = {}) => ({ model: 'qwen', messages: [{ role: 'user', content }], ...more });
const ask = (content, more, options) => client.chat.completions.create(asked(content, more), options);

async function models() {
  return (await Array.fromAsync(client.models.list())).map(({ id }) => id);
}

async function chat() {
  const { choices, usage } = await ask('hello');
  return [choices[0].message.content, usage.total_tokens];
}

async function streamWithTools() {
  let [name, args, end] = ['', '', null];
  for await (const { choices } of await ask('weather in Paris', { stream: true, tools })) {
    for (const call of choices[0].delta.tool_calls ?? []) {
      name += call.function.name ?? '';
      args += call.function.arguments;
    }
    end = choices[0].finish_reason ?? end;
  }
  return [name, JSON.parse(args), end];
}

async function streamWithUsage() {
  const more = { stream: true, stream_options: { include_usage: true } };
  const chunks = await Array.fromAsync(await ask('count 20', more));
  const text = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta.content ?? '')).join('');
  return [text.trim().split(/ +/), chunks.at(-1).usage.total_tokens];
}

async function helper() {
  const runner = client.chat.completions.stream(asked('hello'));
  return runner.finalContent();
}

async function embeddings() {
  const { data } = await client.embeddings.create({ model: 'qwen', input: ['one', 'two'] });
  return data.map(({ embedding }) => [...embedding]);
}

async function close() {
  const words = [];
  for await (const { choices } of await ask('forever', { stream: true, user: process.env.LOG })) {
    words.push(choices[0].delta.content);
    if (words.length === 3) break;
  }
  return words;
}

async function thrown(call) {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof OpenAI.APIError)) throw error;
    return [error.constructor.name, error.status ?? null];
  }
}

async function errors() {
  const elsewhere = client.baseURL.replace('/llm', '/no-llm');
  return {
    'bad request': await thrown(() => client.chat.completions.create({ model: 'qwen', messages: [] })),
    'wrong key': await thrown(() => client.withOptions({ apiKey: 'wrong' }).models.list()),
    'no such model': await thrown(() => ask('hello', { model: 'gpt' })),
    'no such endpoint': await thrown(() => client.withOptions({ baseURL: elsewhere }).models.list()),
    'rate limit': await thrown(() => ask('busy')),
    failure: await thrown(() => ask('fail')),
    'ran too long': await thrown(() => ask('slow 20000')),
    'time-out': await thrown(() => ask('slow 20000', {}, { timeout: 1_000 })),
  };
}

/** With `maxRetries: 2`, the client would send the request three times if the response did not forbid retries. */
async function failureOnce() {
  await thrown(() => ask('fail', { user: process.env.FAILURES }, { maxRetries: 2 }));
  return readFileSync(process.env.FAILURES, 'utf8').trim().split('\n').length;
}

async function message() {
  try {
    return await ask('hello', { model: 'gpt' });
  } catch (error) {
    return [error.error.message, error.headers.get('x-job-id') !== null];
  }
}

async function retries() {
  const begin = performance.now();
  const patient = new OpenAI({ baseURL: process.env.REFUSING_URL, maxRetries: 2 });
  const { choices } = await patient.chat.completions.create(asked('hello'));
  return [choices[0].message.content, performance.now() - begin >= 1_000];
}

const checks = {
  models,
  chat,
  stream_with_tools: streamWithTools,
  stream_with_usage: streamWithUsage,
  asynchronous: helper,
  embeddings,
  close,
  errors,
  failure_once: failureOnce,
  message,
  retries,
};
const seen = {};
for (const [name, check] of Object.entries(checks)) seen[name] = await check();
console.log(JSON.stringify(seen));
