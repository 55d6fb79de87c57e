/**
 * An OpenAI-compatible server without a model. Each prompt is a command of words separated by spaces: `words N`
 * answers with N words, one every 20 ms; `meet N` waits until N requests are open; `exit` exits the process.
 */
import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const WORD_EVERY = 20;
const MODEL = 'stand-in/model';

interface Request {
  readonly model?: string;
  readonly prompt?: string;
  readonly messages?: readonly { readonly content: string }[];
  readonly stream?: boolean;
}

const { values } = parseArgs({
  strict: false,
  options: { host: { type: 'string', default: '127.0.0.1' }, port: { type: 'string', default: '8000' } },
});

/** Number of open requests, and the largest number so far. */
let open = 0;
let maxOpen = 0;

/** Writes one line for each event of a request. The test reads the file. */
function log(event: string, prompt: string): void {
  if (process.env.STAND_IN_LOG)
    appendFileSync(process.env.STAND_IN_LOG, `${JSON.stringify({ event, prompt, maxOpen })}\n`);
}

async function bodyOf(incoming: IncomingMessage): Promise<Request> {
  const parts = (await incoming.toArray()) as Buffer[];
  return JSON.parse(Buffer.concat(parts).toString() || '{}') as Request;
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function complete(response: ServerResponse, request: Request, chat: boolean): Promise<void> {
  const prompt = request.prompt ?? request.messages?.at(-1)?.content ?? '';
  const [verb, number] = prompt.split(' ');
  const count = Number(number ?? 1);
  open += 1;
  maxOpen = Math.max(maxOpen, open);
  log('start', prompt);
  response.once('close', () => {
    open -= 1;
    log(response.writableFinished ? 'end' : 'broken', prompt);
  });
  if (verb === 'exit') process.exit(1);
  while (verb === 'meet' && maxOpen < count) await delay(WORD_EVERY);
  const words = verb === 'words' ? Array.from({ length: count }, (_, n) => `word-${n}`) : [`echo ${prompt}`];
  const object = chat ? 'chat.completion' : 'text_completion';
  const choice = (text: string) => (chat ? { message: { role: 'assistant', content: text } } : { text });
  if (request.stream) response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const word of words) {
    if (verb === 'words') await delay(WORD_EVERY);
    if (response.destroyed) return;
    const delta = chat ? { delta: { content: word } } : { text: word };
    const chunk = { object: `${object}.chunk`, choices: [{ index: 0, ...delta }] };
    if (request.stream) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  }
  if (request.stream) response.end('data: [DONE]\n\n');
  else answer(response, 200, { object, model: MODEL, choices: [{ index: 0, ...choice(words.join(' ')) }] });
}

createServer(async (incoming, response) => {
  const path = incoming.url ?? '';
  if (path === '/health') return void response.end();
  if (path === '/v1/models') return answer(response, 200, { object: 'list', data: [{ id: MODEL, object: 'model' }] });
  const request = await bodyOf(incoming);
  if (request.model !== MODEL)
    return answer(response, 404, {
      error: { message: `The model \`${request.model}\` does not exist.`, type: 'NotFoundError', code: 404 },
    });
  return complete(response, request, path === '/v1/chat/completions');
}).listen(Number(values.port), String(values.host));
