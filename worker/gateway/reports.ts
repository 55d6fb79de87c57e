/** The calls with which the user's container reports on a job: `job-stream` and `job-done`. */
import type { ServerResponse } from 'node:http';
import { InvalidRequest, RequestError } from '../../core/errors.ts';
import { parseJsonObject } from '../../core/json.ts';
import type { Report } from '../../core/workers/report.ts';
import type { Agent } from '../agent/agent.ts';

/** Adds a chunk to the stream of a job. The answer has a body only if the chunk or some of its metrics were dropped. */
export async function storeChunk(agent: Agent, job: string, body: string, response: ServerResponse): Promise<void> {
  try {
    const chunk = parseJsonObject(body, ['output', 'metrics']);
    const dropped = await agent.chunk(job, chunk.text('output') ?? 'null', chunk.text('metrics'));
    if (!dropped) return void response.writeHead(200).end();
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(dropped));
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    response.writeHead(error.status).end(error.message);
  }
}

type JobDone =
  /** @property replace - whether the worker wants to be replaced */
  { readonly end: Report; readonly replace: boolean } | { readonly progress: string };

/**
 * Parses the body as JSON whatever its content type is: the protocol sends JSON with the content type of a form.
 */
function parseJobDone(body: string): JobDone {
  const sent = parseJsonObject(body, ['output', 'error', 'status', 'stopPod']);
  const output = sent.text('output');
  if (sent.value('status') === 'IN_PROGRESS') return { progress: output ?? 'null' };
  const replace = sent.value('stopPod') === true;
  const error = sent.value('error');
  if (!error) return { end: { output }, replace };
  return { end: { output, error: typeof error === 'string' ? error : sent.text('error') }, replace };
}

/**
 * Treats a body that cannot be read as a failure of the worker: the protocol does not retry on a 4xx, so the job
 * would be lost.
 */
function jobDoneFrom(body: string): JobDone {
  try {
    return parseJobDone(body);
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return { end: { error: `The worker's report cannot be read. ${error.message}` }, replace: false };
  }
}

/** Stores how the job ended, or its progress. */
export async function report(agent: Agent, job: string, body: string, response: ServerResponse): Promise<void> {
  const done = jobDoneFrom(body);
  if ('progress' in done) await agent.progress(job, done.progress);
  else {
    await agent.report(job, done.end);
    if (done.replace) agent.retire();
  }
  response.writeHead(200).end();
}
