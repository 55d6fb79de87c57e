/** A small OpenAI server, similar to vLLM's: the worker of an endpoint with `protocol: http`. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { answer } from './openai-answers.mjs';

async function respond(request, response) {
  if (request.url === '/health') return response.writeHead(200).end();
  const left = new AbortController();
  response.once('close', () => !response.writableFinished && left.abort());
  const body = await text(request);
  const { status, json, events } = await answer(request.url, body && JSON.parse(body), left.signal, request.method);
  if (json) return response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(json));
  response.writeHead(status, { 'Content-Type': 'text/event-stream' });
  for await (const event of events) if (!response.write(event)) await once(response, 'drain');
  return response.end();
}

createServer((request, response) => {
  respond(request, response).catch((error) => response.destroy(error));
}).listen(Number(process.env.PORT));
