/**
 * The gateway of the user's container, on localhost inside the task. It serves the worker protocol:
 *
 *   GET  /v2/{endpoint}/job-take/{worker}         200 {"id", "attempt", "input"} and "s3Config" if the job has one,
 *                                                 or 204 if there was none for a while
 *        ?job_in_progress=0                       this worker has no job, so earlier jobs are lost. A
 *                                                 worker with several jobs may send the name of a slot
 *        ?wait=0                                  204 immediately: only reports that it has no job, because the
 *                                                 process of its handler has died
 *        X-Request-ID: job                        the process that calls has run this job last; if it never
 *                                                 reported the job, the job is FAILED, not lost
 *   GET  /v2/{endpoint}/job-take-batch/{worker}   the same, as an array of the available jobs
 *        ?batch_size=N                            maximum number of jobs
 *   GET  /v2/{endpoint}/job-stop/{worker}         200 {"jobsToStop": [id, ...]}, or 204 if there was none
 *                                                 for a while;
 *                                                 a job is sent repeatedly until the worker releases it
 *        ?stops=at-once                           this worker has released a job if it calls again
 *                                                 after it has received the id twice
 *   POST /v2/{endpoint}/job-stream/{worker}/{job} {"output": ..., "metrics": {...}}: one chunk. 200: the agent has
 *                                                 it, 500: try again, 400 or 413: it is not accepted
 *   POST /v2/{endpoint}/job-done/{worker}/{job}   {"output": ...} or {"error": ...}; 200: the job and all its
 *                                                 chunks are stored, 500: try again
 *                                                 {"output": ...} with the status of a job in progress: the progress
 *                                                 {..., "stopPod": true}: the worker wants to be replaced
 *                                                 after the job
 *   GET  /v2/{endpoint}/ping/{worker}             200
 *        ?runpod_version=V&job_id=A,B             the jobs of the process, if this version lists them exactly
 *   GET  /health                                  200
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { MINUTE } from '../../core/limits.ts';
import type { Agent } from '../agent/agent.ts';
import type { AgentLog } from '../agent/ports.ts';
import { readCall } from './call-body.ts';
import { type ChunkCalls, createChunkCalls } from './chunk-calls.ts';
import { stopJobs, takeJob, takeJobs } from './polls.ts';
import { type JobCall, report, storeChunk } from './reports.ts';
import { createTurns } from './turns.ts';

/** A call, with the data that its handler needs. `taker` and `job` are empty if the path contains none. */
interface Call extends JobCall {
  readonly log: AgentLog;
  readonly chunkCalls: ChunkCalls;
  readonly taker: string;
  readonly query: URLSearchParams;
  readonly request: IncomingMessage;
}

/**
 * Whether the pings of the SDK list exactly the jobs of their process. Versions from 1.7.11 to 1.9 keep the list in a
 * file that several processes may share.
 */
function listsExactly(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return major === 1 && (minor < 7 || (minor === 7 && patch < 11) || minor >= 10);
}

/**
 * Logs why a worker reports that it is unhealthy. The worker sends this report only once, before it exits. Other pings
 * list the jobs of the worker.
 */
async function ping({ agent, log, query, request, response }: Call): Promise<void> {
  if (query.get('status') === 'unhealthy')
    log.error('The worker reports that it is unhealthy.', { check: query.get('check'), reason: query.get('reason') });
  else if (listsExactly(query.get('runpod_version') ?? ''))
    await agent.pinged((query.get('job_id') ?? '').split(','), request.socket);
  response.writeHead(200).end();
}

const ROUTES: readonly (readonly [string, RegExp, (call: Call) => void | Promise<void>])[] = [
  ['GET', /^\/health$/, ({ response }) => void response.writeHead(200).end()],
  ['GET', /^\/v2\/[^/]+\/ping\/[^/]+$/, ping],
  ['GET', /^\/v2\/[^/]+\/job-take\/(?<taker>[^/]+)$/, takeJob],
  ['GET', /^\/v2\/[^/]+\/job-take-batch\/(?<taker>[^/]+)$/, takeJobs],
  [
    'GET',
    /^\/v2\/[^/]+\/job-stop\/[^/]+$/,
    ({ agent, chunkCalls, query, response }) => stopJobs(agent, chunkCalls, query, response),
  ],
  [
    'POST',
    /^\/v2\/[^/]+\/job-stream\/[^/]+\/(?<job>[^/]+)$/,
    (call) => {
      call.chunkCalls.begin(call.job, call.response);
      return storeChunk(call);
    },
  ],
  ['POST', /^\/v2\/[^/]+\/job-done\/[^/]+\/(?<job>[^/]+)$/, report],
];

async function answer(
  shared: Pick<Call, 'agent' | 'chunkCalls' | 'log' | 'progressTurns' | 'turns'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path = '', search] = (request.url ?? '').split('?');
  for (const [method, pattern, handle] of ROUTES) {
    const match = request.method === method ? pattern.exec(path) : null;
    if (!match) continue;
    const { taker = '', job = '' } = match.groups ?? {};
    const body = () => readCall(request);
    return handle({ ...shared, taker, job, query: new URLSearchParams(search), request, body, response });
  }
  response.writeHead(404).end();
}

/**
 * How long a connection stays open without a call. A connection identifies the process of the container across its
 * pings, and the container must be the one that closes it: it could otherwise send a call while the agent closes it.
 */
const KEEP_ALIVE = 5 * MINUTE;

/** Matches a `Host` header with a name of localhost, and its port. */
const LOCALHOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;

/**
 * Returns whether a web page sent the request. On a developer's machine, a page could otherwise take jobs: its requests
 * have an `Origin` or a `Sec-Fetch-Site`, or the `Host` is a domain of the page that it points at this machine.
 */
const isOfPage = ({ headers }: IncomingMessage): boolean =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined || !LOCALHOST.test(headers.host ?? '');

export function createGateway(agent: Agent, log: AgentLog): Server {
  const shared = { agent, log, chunkCalls: createChunkCalls(), turns: createTurns(), progressTurns: createTurns() };
  return createServer({ keepAliveTimeout: KEEP_ALIVE }, (request, response) => {
    if (isOfPage(request)) {
      request.resume();
      const error = 'Requests of web pages are refused: only the container of the worker can call this port.';
      response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
      return;
    }
    answer(shared, request, response).catch((error: unknown) => {
      log.error('A call of the worker failed.', { error, path: request.url });
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
}
