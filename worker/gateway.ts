/**
 * The door of the user's container, on localhost inside the task: the worker protocol.
 *
 *   GET  /v2/{endpoint}/job-take/{worker}         200 {"id", "attempt", "input"} and "s3Config" if the job has one, or 204
 *                                                 when there was none for a while
 *        ?job_in_progress=0                       the worker has no job, so what it was given before is lost
 *        ?wait=0                                  204 at once: the worker only wants to say so
 *   GET  /v2/{endpoint}/job-stop/{worker}         200 {"jobsToStop": [id, ...]}, or 204 when there was none for a while;
 *                                                 a job comes again and again until the worker has let go of it
 *   POST /v2/{endpoint}/job-stream/{worker}/{job} {"output": ..., "metrics": {...}}: one chunk; 200, 500: try again, or
 *                                                 400 or 413 if it cannot be taken
 *   POST /v2/{endpoint}/job-done/{worker}/{job}   {"output": ...} or {"error": ...}; 200, or 500: try again
 *   GET  /v2/{endpoint}/ping/{worker}, /health    200
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { InvalidRequest, RequestError } from '../core/errors.ts';
import type { Report } from '../core/jobs/finish.ts';
import { jsonText, parseJsonObject } from '../core/json.ts';
import { SECOND } from '../core/limits.ts';
import type { Agent, AgentLog } from './agent.ts';

/** Shorter than the time-out of clients, and than what a container is given to stop. */
const HOLD = 20 * SECOND;

const TAKE = /^\/v2\/[^/]+\/job-take\/[^/]+$/;
const STOP = /^\/v2\/[^/]+\/job-stop\/[^/]+$/;
const ALIVE = /^\/health$|^\/v2\/[^/]+\/ping\/[^/]+$/;
const STREAM = /^\/v2\/[^/]+\/job-stream\/[^/]+\/(?<job>[^/]+)$/;
const DONE = /^\/v2\/[^/]+\/job-done\/[^/]+\/(?<job>[^/]+)$/;

/** The protocol sends JSON under a form's content type, so the body alone is looked at. */
function reportFrom(body: string): Report {
  const { value, members } = parseJsonObject(body);
  const { error } = value;
  if (!error) return { output: members.get('output') };
  return { output: members.get('output'), error: typeof error === 'string' ? error : members.get('error') };
}

/** What cannot be read is the worker's error: a 4xx would lose the job, because the protocol does not try again on it. */
function reportOf(body: string): Report {
  try {
    return reportFrom(body);
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return { error: `The worker's report cannot be read. ${error.message}` };
  }
}

function sendJson(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(text);
}

/** Aborts when the caller has gone. */
function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}

async function takeJob(agent: Agent, query: URLSearchParams, response: ServerResponse): Promise<void> {
  const gone = goneSignal(response);
  if (query.get('job_in_progress') === '0') await agent.giveBackAll();
  const ended = query.get('wait') === '0' ? AbortSignal.abort() : AbortSignal.any([gone, AbortSignal.timeout(HOLD)]);
  const offer = await agent.next(ended);
  if (offer && gone.aborted) return agent.giveBack(offer.id);
  // An agent that drains has nothing at once; the worker would ask again at once.
  if (!offer && !ended.aborted) await once(ended, 'abort');
  if (!offer) {
    response.writeHead(204).end();
    return;
  }
  const { id, attempt, input, s3Config } = offer;
  sendJson(response, jsonText({ id: JSON.stringify(id), attempt: String(attempt), input, s3Config }));
}

async function stopJobs(agent: Agent, response: ServerResponse): Promise<void> {
  const jobsToStop = await agent.stops(AbortSignal.any([goneSignal(response), AbortSignal.timeout(HOLD)]));
  if (jobsToStop.length > 0) sendJson(response, JSON.stringify({ jobsToStop }));
  else response.writeHead(204).end();
}

async function storeChunk(agent: Agent, job: string, body: string, response: ServerResponse): Promise<void> {
  try {
    const { members } = parseJsonObject(body);
    await agent.chunk(job, members.get('output') ?? 'null', members.get('metrics'));
    response.writeHead(200).end();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    response.writeHead(error.status).end(error.message);
  }
}

async function answer(agent: Agent, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = '', query] = (request.url ?? '').split('?');
  const job = DONE.exec(path)?.groups?.job;
  const streaming = STREAM.exec(path)?.groups?.job;
  if (request.method === 'GET' && ALIVE.test(path)) {
    response.writeHead(200).end();
  } else if (request.method === 'GET' && TAKE.test(path)) {
    await takeJob(agent, new URLSearchParams(query), response);
  } else if (request.method === 'GET' && STOP.test(path)) {
    await stopJobs(agent, response);
  } else if (request.method === 'POST' && streaming) {
    await storeChunk(agent, streaming, await text(request), response);
  } else if (request.method === 'POST' && job) {
    await agent.report(job, reportOf(await text(request)));
    response.writeHead(200).end();
  } else {
    response.writeHead(404).end();
  }
}

export function createGateway(agent: Agent, log: AgentLog): Server {
  return createServer((request, response) => {
    answer(agent, request, response).catch((error: unknown) => {
      log.error('A call of the worker failed.', { error, path: request.url });
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
}
