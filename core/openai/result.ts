/** Creates the answer to a call of `/openai/*` from a job that has ended. */

import { setImmediate } from 'node:timers/promises';
import type { Job } from '../jobs/job.ts';
import { type LoadPorts, load, loadBytes } from '../jobs/payload.ts';
import { parseLargeObject } from '../json.ts';
import { afterSpace, scanSlices } from '../json-scan.ts';
import { isErrorStatus, JobError, typeOf } from './error.ts';
import { errorIn, readError } from './error-text.ts';
import { openAiMembers } from './members.ts';

type Ended = Extract<Job, { finishedAt: number }>;
type EndedAs<Status> = Extract<Ended, Record<'status', Status>>;

/** An answer that is not streamed. */
export interface OpenAiAnswer {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

const JSON_TYPE = 'application/json';

/** Maximum bytes of an answer that is checked for a worker's error. */
const LARGEST_ERROR = 64 * 1024;

/**
 * Beginning of an envelope: an object in which the agent stores an answer that is not JSON, or a server's error.
 */
const ENVELOPE = Buffer.from('{"openai_');

/** Form of a media type that is valid in a header. */
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:[\t -~]*)$/;

const viewOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Loads the output, which is `null` if the handler returned nothing. */
async function outputOf(ports: LoadPorts, job: Ended): Promise<Buffer> {
  const output = 'output' in job && job.output ? await loadBytes(ports, job, job.output) : 'null';
  return typeof output === 'string' ? Buffer.from(output) : viewOf(output);
}

/** Returns up to `most` elements of an output that is a list. Any other output is returned as the only element. */
export async function elementsIn(output: Buffer, most = Number.POSITIVE_INFINITY): Promise<Buffer[]> {
  const start = afterSpace(output, 0);
  if (output[start] !== '['.charCodeAt(0)) return [output];
  const elements: Buffer[] = [];
  const slices = scanSlices(output, (_, __, from, to) => elements.push(output.subarray(from, to)));
  for (const _ of slices) {
    if (elements.length >= most) break;
    await setImmediate();
  }
  return elements.slice(0, most);
}

/** Returns the content of an envelope, or undefined for any other output. */
async function opened(output: Buffer): Promise<(OpenAiAnswer & { readonly status: unknown }) | undefined> {
  if (!output.subarray(0, ENVELOPE.length).equals(ENVELOPE)) return undefined;
  const object = await parseLargeObject(output, Object.values(openAiMembers));
  const base64 = object.bytes(openAiMembers.base64);
  // An output with a route is not an envelope: the worker has returned its input.
  if (base64 === undefined || object.names.includes(openAiMembers.route)) return undefined;
  const contentType = object.value(openAiMembers.contentType);
  return {
    contentType:
      typeof contentType === 'string' && MEDIA_TYPE.test(contentType) ? contentType : 'application/octet-stream',
    // The decoder of Node.js skips the quotes.
    bytes: Buffer.from(viewOf(base64).toString('latin1'), 'base64'),
    status: object.value(openAiMembers.status),
  };
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
  const { status, ...response } = (await opened(await outputOf(ports, job))) ?? {};
  if (!isErrorStatus(status) || !('bytes' in response)) return undefined;
  const problem = problemOf(status, 'The server refused the call.', 'WORKER_ERROR');
  return new JobError(status, problem, { response, isFinal: status >= 500 });
}

async function failureOf(ports: LoadPorts, job: EndedAs<'FAILED'>): Promise<JobError> {
  const refusal = job.code === 'WORKER_ERROR' ? await refusalIn(ports, job) : undefined;
  if (refusal) return refusal;
  const text = await load(ports, job, job.error);
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

/** Checks one element of an output. @throws JobError if the element is an error */
export function assertAnswer(element: Buffer): void {
  if (element.length > LARGEST_ERROR || !element.includes('"error"')) return;
  const found = errorIn(element.toString('utf8'));
  if (found) throw new JobError(found.status, found.problem, { isFinal: found.status >= 500 });
}

/**
 * Returns the answer of a job that has ended.
 * @throws JobError unless it has COMPLETED with an answer
 */
export async function answerOf(ports: LoadPorts, job: Ended): Promise<OpenAiAnswer> {
  if (job.status !== 'COMPLETED') throw await endOf(ports, job);
  const [element = Buffer.from('null')] = await elementsIn(await outputOf(ports, job), 1);
  assertAnswer(element);
  return (await opened(element)) ?? { contentType: JSON_TYPE, bytes: element };
}

/**
 * Form of the last event of a stream. Clients disconnect after it, before the worker has reported the end of the
 * job.
 */
export const LAST_EVENT = /(?:^|\n)data: ?\[DONE\]\s*$/;

/** Returns an event from a JSON value: a string is the whole event, any other value is its data. */
export const eventOf = (json: string): string =>
  json.startsWith('"') ? (JSON.parse(json) as string) : `data: ${json}\n\n`;

/**
 * Returns the events of a job that has COMPLETED without streaming, because its handler returned all events as
 * output.
 * @throws JobError unless it has COMPLETED with an answer
 */
export async function eventsOf(ports: LoadPorts, job: Ended): Promise<string> {
  if (job.status !== 'COMPLETED') throw await endOf(ports, job);
  const elements = await elementsIn(await outputOf(ports, job));
  for (const element of elements) assertAnswer(element);
  return elements.map((element) => eventOf(element.toString('utf8'))).join('');
}
