/** Creates the answer to a call of `/openai/*` from a job that has ended. */

import { setImmediate } from 'node:timers/promises';
import type { Job } from '../jobs/job.ts';
import { type LoadPorts, loadBytes, loadError } from '../jobs/payload.ts';
import { inSlices } from '../json/slices.ts';
import { PIECE } from '../streams/read.ts';
import { elementsIn, firstElement } from './elements.ts';
import { opened } from './envelope.ts';
import { isErrorStatus, isRetryAfter, JobError, typeOf } from './error.ts';
import { errorIn, readError } from './error-text.ts';
import { eventPieces } from './event-text.ts';

type Ended = Extract<Job, { finishedAt: number }>;
type EndedAs<Status> = Extract<Ended, Record<'status', Status>>;

/** An answer that is not streamed. */
export interface OpenAiAnswer {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

const JSON_TYPE = 'application/json';

/** Maximum bytes of an answer that is checked for a worker's error. */
const MAX_ERROR_BYTES = 64 * 1024;

const viewOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Loads the output, which is `null` if the handler returned nothing. */
async function outputOf(ports: LoadPorts, job: Ended): Promise<Buffer> {
  const output = 'output' in job && job.output ? await loadBytes(ports, job, job.output) : 'null';
  return typeof output === 'string' ? Buffer.from(output) : viewOf(output);
}

/** Appends the id of the job to a message. */
const named = (job: Job, sentence: string) => `${sentence} The job is ${job.id}.`;

const problemOf = (status: number, message: string, code: string) => ({
  message,
  type: typeOf(status),
  param: null,
  code,
});

/** Returns the response with which the server refused the call, if the agent has stored it. */
async function refusalIn(ports: LoadPorts, job: Ended): Promise<JobError | undefined> {
  const { status, retryAfter: sent, ...response } = (await opened(await outputOf(ports, job), job.id)) ?? {};
  if (!isErrorStatus(status) || !('bytes' in response)) return undefined;
  const problem = problemOf(status, 'The server refused the call.', 'WORKER_ERROR');
  const retryAfter = isRetryAfter(sent) ? sent : undefined;
  // A server that says when to try again has not done any work.
  return new JobError(status, problem, { response, retryAfter, isFinal: status >= 500 && retryAfter === undefined });
}

async function failureOf(ports: LoadPorts, job: EndedAs<'FAILED'>): Promise<JobError> {
  const refusal = job.code === 'WORKER_ERROR' ? await refusalIn(ports, job) : undefined;
  if (refusal) return refusal;
  const text = await loadError(ports, job);
  // Not final, because the service failed and not the job. Another request can succeed.
  if (job.code === 'WORKER_LOST') return new JobError(500, problemOf(500, named(job, text), job.code));
  if (job.code === 'OUTPUT_TOO_LARGE' || job.code === 'RESULT_NOT_REPORTED')
    return new JobError(500, problemOf(500, named(job, text), job.code), { isFinal: true });
  const { status, problem } = readError(text);
  const message = problem.message === '' ? named(job, 'The job failed without a message.') : problem.message;
  return new JobError(status, { ...problem, message }, { isFinal: status >= 500 });
}

/**
 * Returns the error of a job that has not succeeded. Most errors are final, because a retry would repeat paid
 * work.
 */
async function endOf(ports: LoadPorts, job: Exclude<Ended, EndedAs<'COMPLETED'>>): Promise<JobError> {
  if (job.status === 'FAILED') return failureOf(ports, job);
  if (job.status === 'CANCELLED')
    return new JobError(409, problemOf(409, named(job, 'The job was cancelled.'), job.code), { isFinal: true });
  const sentence =
    job.code === 'QUEUE_TTL_EXPIRED'
      ? `The job waited longer than its ttl of ${job.queueTtl} ms.`
      : `The job ran longer than its executionTimeout of ${job.executionTimeout} ms.`;
  return new JobError(504, problemOf(504, named(job, sentence), job.code), { isFinal: true });
}

/** Returns the error of a call that waited too long for its job, which continues. */
export const lateError = (id: string, minutes: number): JobError =>
  new JobError(
    504,
    problemOf(504, `Job ${id} has not ended after ${minutes} minutes. Read its status later.`, 'TIMEOUT'),
    { isFinal: true },
  );

/** Returns whether the element must be parsed to find out whether it is an error. */
const mayBeError = (element: Buffer): boolean => element.length <= MAX_ERROR_BYTES && element.includes('"error"');

/**
 * Checks one element of an output.
 * @throws JobError if the element is an error
 */
export function assertAnswer(element: Buffer): void {
  if (!mayBeError(element)) return;
  const found = errorIn(element.toString('utf8'));
  if (found) throw new JobError(found.status, found.problem, { isFinal: found.status >= 500 });
}

/**
 * Returns the answer of a job that has ended.
 * @throws JobError unless it has COMPLETED with an answer
 */
export async function answerOf(ports: LoadPorts, job: Ended): Promise<OpenAiAnswer> {
  if (job.status !== 'COMPLETED') throw await endOf(ports, job);
  const output = await outputOf(ports, job);
  const element = await inSlices(output.length, () => firstElement(output));
  assertAnswer(element);
  return (await opened(element, job.id)) ?? { contentType: JSON_TYPE, bytes: element };
}

/**
 * Yields the texts of the events of an output, and undefined for each pause.
 * @throws JobError at an error
 */
function* eventTexts(output: Buffer): Generator<string | undefined, void> {
  for (const element of elementsIn(output)) {
    if (element && mayBeError(element)) {
      // An error of 64 KB takes milliseconds to parse.
      yield undefined;
      assertAnswer(element);
    }
    if (element) yield* eventPieces(element);
    else yield undefined;
  }
}

/**
 * Yields the events of a job that has COMPLETED without streaming, because its handler returned all events as output.
 * @returns pieces of the event stream, of about `PIECE` characters
 * @throws JobError unless it has COMPLETED with an answer
 */
export async function* eventsOf(ports: LoadPorts, job: Ended): AsyncGenerator<string, void> {
  if (job.status !== 'COMPLETED') throw await endOf(ports, job);
  let piece = '';
  for (const text of eventTexts(await outputOf(ports, job))) {
    piece += text ?? '';
    if (piece.length >= PIECE) {
      yield piece;
      piece = '';
    } else if (text !== undefined) continue;
    await setImmediate();
  }
  if (piece !== '') yield piece;
}
