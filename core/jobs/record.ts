/**
 * The job record that `/status` returns, and its shorter form in lists, as JSON text. Outputs are inserted as sent,
 * large outputs as bytes.
 */
import type { Clock } from '../clock.ts';
import { jsonPieces, jsonText } from '../json/json.ts';
import { type StreamedOutputPorts, streamedOutput } from '../streams/output.ts';
import type { Job } from './job.ts';
import { loadBytes, loadError } from './payload.ts';

/** Reads the payloads and the chunks of a job. */
export type RecordPorts = StreamedOutputPorts & { readonly clock: Clock };

const TIMED_OUT_ERRORS = {
  QUEUE_TTL_EXPIRED: (job: Job) => `The job waited longer than its ttl of ${job.queueTtl} ms.`,
  EXECUTION_TIMEOUT: (job: Job) => `The job ran longer than its executionTimeout of ${job.executionTimeout} ms.`,
} as const;

/** Returns a duration from 0 to `max`: start and end can be from the clocks of two machines. */
const span = (from: number, to: number, max = Number.POSITIVE_INFINITY) =>
  String(Math.min(Math.max(0, to - from), max));

export const quoted = (text: string | undefined) => (text === undefined ? undefined : JSON.stringify(text));

/**
 * Returns the members of the record from the job's own item. Durations of a waiting or running job end at `now`.
 */
function headOf(job: Job, now: number) {
  const startedAt = 'startedAt' in job ? job.startedAt : undefined;
  const finishedAt = 'finishedAt' in job ? job.finishedAt : undefined;
  return {
    id: quoted(job.id),
    status: quoted(job.status),
    delayTime: span(job.queuedAt, startedAt ?? finishedAt ?? now),
    // After the deadline, a job is still IN_PROGRESS until its result or its time-out is stored.
    executionTime: startedAt === undefined ? '0' : span(startedAt, finishedAt ?? now, job.executionTimeout),
    workerId: quoted('worker' in job ? job.worker : undefined),
    attempts: String(job.attempt),
  };
}

const codeOf = (job: Job) => ('code' in job ? quoted(job.code) : undefined);

/** Returns the record without the members that depend on the endpoint: head, output, error and code. */
export async function bodyOf(ports: RecordPorts, job: Job) {
  const loaded =
    'output' in job && job.output ? await loadBytes(ports, job, job.output) : await streamedOutput(ports, job);
  // The handler of a completed job might have returned no output.
  const output = loaded ?? (job.status === 'COMPLETED' ? 'null' : undefined);
  const failure = job.status === 'FAILED' ? await loadError(ports, job) : undefined;
  const error = quoted(job.status === 'TIMED_OUT' ? TIMED_OUT_ERRORS[job.code](job) : failure);
  return { ...headOf(job, ports.clock.now()), output, error, code: codeOf(job) };
}

/** Returns the record of an ended job for its webhook, without the state of the webhook. */
export const endedRecordOf = async (ports: RecordPorts, job: Job): Promise<string> =>
  jsonPieces(await bodyOf(ports, job)).toString();

/**
 * Returns the record with the submission time, and without output and error, which can be large.
 * @param place members of a waiting job
 */
export const summaryOf = (job: Job, now: number, place: Readonly<Record<string, string | undefined>> = {}): string =>
  jsonText({
    ...headOf(job, now),
    ...place,
    code: codeOf(job),
    createdAt: quoted(new Date(job.acceptedAt).toISOString()),
  });
