/** The calls with which the user's container reports on a job: `job-stream` and `job-done`. */
import type { ServerResponse } from 'node:http';
import { type JsonObject, parseLargeObject } from '../../core/json/json.ts';
import { payloadLimits } from '../../core/limits.ts';
import { InvalidRequest, PayloadTooLarge, RequestError } from '../../core/requests/errors.ts';
import type { Report } from '../../core/workers/report.ts';
import type { Agent } from '../agent/agent.ts';
import type { Turns } from './turns.ts';

/** Maximum bytes of a call: the largest output with the largest metrics, error and spaces. */
export const MAX_CALL = 1.5 * payloadLimits.output;

/** The body of a call. @property bytes - undefined if it has more than `MAX_CALL` bytes */
interface Body {
  readonly size: number;
  readonly bytes?: Buffer;
}

/** A call about a job. */
export interface JobCall {
  readonly agent: Agent;
  readonly turns: Turns;
  readonly job: string;
  /** Reads the body. Called once, when all earlier calls about the job are read. */
  readonly body: () => Promise<Body>;
  readonly response: ServerResponse;
}

/** Adds a chunk to the stream of a job. The answer has a body only if the chunk or some of its metrics were dropped. */
export async function storeChunk({ agent, turns, job, body, response }: JobCall): Promise<void> {
  try {
    const { added } = await turns.take(job, async () => {
      const { size, bytes } = await body();
      if (!bytes) throw new PayloadTooLarge(`The call has ${size} bytes; at most ${MAX_CALL} are allowed.`);
      const chunk = await parseLargeObject(bytes, ['output', 'metrics']);
      // The agent keeps the order of its chunks, so the next call need not wait until this one is stored.
      return { added: agent.chunk(job, chunk.text('output') ?? 'null', chunk.text('metrics')) };
    });
    const dropped = await added;
    if (!dropped) return void response.writeHead(200).end();
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(dropped));
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    response.writeHead(error.status).end(error.message);
  }
}

type JobDone =
  /** The end of a job, and whether the worker wants to be replaced; or the progress of a job. */
  { readonly end: Report; readonly replace: boolean } | { readonly progress: string };

const QUOTE = '"'.charCodeAt(0);

/**
 * Returns the value of a member, and the text of a large object or array: its values would take many times its memory.
 */
function memberOf(sent: JsonObject, name: string): unknown {
  const bytes = sent.bytes(name);
  return bytes && bytes.length > payloadLimits.field && bytes[0] !== QUOTE ? sent.text(name) : sent.value(name);
}

/**
 * Parses the body as JSON whatever its content type is: the protocol sends JSON with the content type of a form.
 */
async function parseJobDone(body: Buffer): Promise<JobDone> {
  const sent = await parseLargeObject(body, ['output', 'error', 'status', 'stopPod']);
  const output = sent.text('output');
  if (memberOf(sent, 'status') === 'IN_PROGRESS') return { progress: output ?? 'null' };
  const replace = memberOf(sent, 'stopPod') === true;
  const error = memberOf(sent, 'error');
  if (!error) return { end: { output }, replace };
  return { end: { output, error: typeof error === 'string' ? error : sent.text('error') }, replace };
}

/**
 * Treats a body that cannot be read as a failure of the worker: the protocol does not retry on a 4xx, so the job
 * would be lost.
 */
async function jobDoneFrom({ size, bytes }: Body): Promise<JobDone> {
  if (!bytes) return { end: { size }, replace: false };
  try {
    return await parseJobDone(bytes);
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return { end: { error: `The worker's report cannot be read. ${error.message}` }, replace: false };
  }
}

/** Stores how the job ended, or its progress. */
export async function report({ agent, turns, job, body, response }: JobCall): Promise<void> {
  const done = await turns.take(job, async () => jobDoneFrom(await body()));
  if ('progress' in done) await agent.progress(job, done.progress);
  else {
    await agent.report(job, done.end);
    if (done.replace) agent.retire();
  }
  response.writeHead(200).end();
}
