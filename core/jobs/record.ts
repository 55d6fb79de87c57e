/** The job record that `/status` answers with, and what lists have of it, as JSON text: outputs are pasted in as sent, large ones as bytes. */
import type { Clock } from '../clock.ts';
import { jsonPieces, jsonText } from '../json.ts';
import type { Job } from './job.ts';
import { load, loadBytes } from './payload.ts';
import type { Objects, Payloads } from './store.ts';

const TIMED_OUT_ERRORS = {
  QUEUE_TTL_EXPIRED: (job: Job) => `The job waited longer than its ttl of ${job.queueTtl} ms.`,
  EXECUTION_TIMEOUT: (job: Job) => `The job ran longer than its executionTimeout of ${job.executionTimeout} ms.`,
} as const;

async function errorOf(
  ports: { readonly objects: Objects; readonly payloads: Payloads },
  job: Job,
): Promise<string | undefined> {
  if (job.status === 'FAILED') return load(ports, job, job.error);
  if (job.status === 'TIMED_OUT') return TIMED_OUT_ERRORS[job.code](job);
  return undefined;
}

/** Never below zero: the two ends of a span may come from two machines' clocks. */
const span = (from: number, to: number) => String(Math.max(0, to - from));

export const quoted = (text: string | undefined) => (text === undefined ? undefined : JSON.stringify(text));

/** What the job's own item says of it. Times count until `now` while the job waits or runs. */
function headOf(job: Job, now: number) {
  const startedAt = 'startedAt' in job ? job.startedAt : undefined;
  const finishedAt = 'finishedAt' in job ? job.finishedAt : undefined;
  return {
    id: quoted(job.id),
    status: quoted(job.status),
    delayTime: span(job.queuedAt, startedAt ?? finishedAt ?? now),
    executionTime: startedAt === undefined ? '0' : span(startedAt, finishedAt ?? now),
    workerId: quoted('worker' in job ? job.worker : undefined),
    attempts: String(job.attempt),
  };
}

const codeOf = (job: Job) => ('code' in job ? quoted(job.code) : undefined);

/** The job's output; `null` of a completed job whose handler returned nothing. */
async function outputOf(
  ports: { readonly objects: Objects; readonly payloads: Payloads },
  job: Job,
): Promise<string | Uint8Array | undefined> {
  if ('output' in job && job.output) return loadBytes(ports, job, job.output);
  return job.status === 'COMPLETED' ? 'null' : undefined;
}

/** What the job is and has brought about. */
export async function bodyOf(
  ports: { readonly clock: Clock; readonly objects: Objects; readonly payloads: Payloads },
  job: Job,
) {
  const output = await outputOf(ports, job);
  const error = quoted(await errorOf(ports, job));
  return { ...headOf(job, ports.clock.now()), output, error, code: codeOf(job) };
}

/** The record of a job that has ended, as its webhook tells it: without what becomes of the webhook itself. */
export const endedRecordOf = async (
  ports: { readonly clock: Clock; readonly objects: Objects; readonly payloads: Payloads },
  job: Job,
): Promise<string> => jsonPieces(await bodyOf(ports, job)).toString();

/** The record without output and error, which may be large, and with the time of the submission. */
export const summaryOf = (job: Job, now: number): string =>
  jsonText({ ...headOf(job, now), code: codeOf(job), createdAt: quoted(new Date(job.acceptedAt).toISOString()) });
