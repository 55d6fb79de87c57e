/** The calls with which the user's container reports on a job: `job-stream` and `job-done`. */
import type { ServerResponse } from 'node:http';
import { type JsonObject, parseJsonObject, parseLargeObject } from '../../core/json/json.ts';
import { payloadLimits } from '../../core/limits.ts';
import { InvalidRequest, PayloadTooLarge, RequestError } from '../../core/requests/errors.ts';
import type { Progress, Report } from '../../core/workers/report.ts';
import type { Agent } from '../agent/agent.ts';
import { type CallBody, type LargeCall, MAX_CALL } from './call-body.ts';
import type { Turns } from './turns.ts';

/** A call about a job. */
export interface JobCall {
  readonly agent: Agent;
  /** Order of reading the calls about a job. */
  readonly turns: Turns;
  /** Order of storing the progress of a job. */
  readonly progressTurns: Turns;
  readonly job: string;
  /** Reads the body. Called once, when all earlier calls about the job are read. */
  readonly body: () => Promise<CallBody>;
  readonly response: ServerResponse;
}

const tooLarge = (what: string, size: number) => `The ${what} has ${size} bytes; at most ${MAX_CALL} are allowed.`;

/** Adds a chunk to the stream of a job. The answer has a body only if the chunk or some of its metrics were dropped. */
export async function storeChunk({ agent, turns, job, body, response }: JobCall): Promise<void> {
  try {
    const { added } = await turns.take(job, async () => {
      const { size, content } = await body();
      if (!Buffer.isBuffer(content)) throw new PayloadTooLarge(tooLarge('call', size));
      const chunk = await parseLargeObject(content, ['output', 'metrics']);
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

interface JobEnd {
  readonly end: Report;
  /** Whether the worker requests its replacement. */
  readonly replace: boolean;
}

type JobDone = JobEnd | { readonly progress: Progress };

const QUOTE = '"'.charCodeAt(0);
const MEMBERS = ['output', 'error', 'status', 'stopPod'];

/**
 * Returns the parsed value of a member. For a large object or array, returns its JSON text, because the parsed values
 * take many times its memory.
 */
function memberOf(sent: JsonObject, name: string): unknown {
  const bytes = sent.bytes(name);
  return bytes && bytes.length > payloadLimits.field && bytes[0] !== QUOTE ? sent.text(name) : sent.value(name);
}

const isProgress = (sent: JsonObject) => memberOf(sent, 'status') === 'IN_PROGRESS';

function endFrom(sent: JsonObject): JobEnd {
  const output = sent.text('output');
  const replace = memberOf(sent, 'stopPod') === true;
  const error = memberOf(sent, 'error');
  if (!error) return { end: { output }, replace };
  return { end: { output, error: typeof error === 'string' ? error : sent.text('error') }, replace };
}

/**
 * Parses the body as JSON whatever its content type is: the protocol sends JSON with the content type of a form.
 */
async function parseJobDone(body: Buffer): Promise<JobDone> {
  const sent = await parseLargeObject(body, MEMBERS);
  return isProgress(sent) ? { progress: { output: sent.text('output') } } : endFrom(sent);
}

/** Parses the members that are known. Without its output or its error, a job must not become COMPLETED. */
function parseLargeCall({ small, outputSize }: LargeCall, size: number): JobDone {
  const sent = parseJsonObject(small, MEMBERS);
  if (isProgress(sent)) return { progress: { size: outputSize ?? size } };
  const { end, replace } = endFrom(sent);
  if (outputSize !== undefined && outputSize > payloadLimits.output) return { end: { size: outputSize }, replace };
  return { end: { ...end, error: end.error ?? tooLarge("worker's report", size) }, replace };
}

/**
 * Treats a body that cannot be read as a failure of the worker: the protocol does not retry on a 4xx, so the job
 * would be lost.
 */
async function jobDoneFrom({ size, content }: CallBody): Promise<JobDone> {
  try {
    return Buffer.isBuffer(content) ? await parseJobDone(content) : parseLargeCall(content, size);
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return { end: { error: `The worker's report cannot be read. ${error.message}` }, replace: false };
  }
}

/** Stores how the job ended, or its progress. */
export async function report({ agent, turns, progressTurns, job, body, response }: JobCall): Promise<void> {
  const { done, stored } = await turns.take(job, async () => {
    const done = await jobDoneFrom(await body());
    if (!('progress' in done)) return { done };
    // The next call need not wait until the progress is stored, but the next progress must not be stored before it.
    return { done, stored: progressTurns.take(job, () => agent.progress(job, done.progress)) };
  });
  await stored;
  if ('end' in done) {
    await agent.report(job, done.end);
    if (done.replace) agent.retire();
  }
  response.writeHead(200).end();
}
