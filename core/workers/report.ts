import type { Clock } from '../clock.ts';
import { removeAfterEnd } from '../jobs/ending.ts';
import { endMembers, failureMembers, fitsAtEnd, inlineAtEnd } from '../jobs/item-size.ts';
import type { RunningJob } from '../jobs/job.ts';
import { store } from '../jobs/payload.ts';
import type { Jobs, Objects, Payloads } from '../jobs/store.ts';
import { payloadLimits, REPORT_GRACE } from '../limits.ts';

/** A worker's report of a job's end: its output, an error, or both. Outputs are stored as unchanged JSON texts. */
export interface Report {
  readonly output?: string | undefined;
  /** Bytes of an output that was dropped because it is too large. */
  readonly size?: number;
  readonly error?: string | undefined;
  /**
   * Code of the error.
   * @default WORKER_ERROR
   */
  readonly code?: 'WORKER_ERROR' | 'RESULT_NOT_REPORTED';
  /** Number of chunks that the attempt has streamed. */
  readonly chunks?: number;
}

/** The progress of a job: its JSON text, or the number of bytes of a text that was dropped because it is too large. */
export type Progress = Pick<Report, 'output' | 'size'>;

/** The report of the agent for a job that a live worker has dropped. */
export const notReported: Report = {
  code: 'RESULT_NOT_REPORTED',
  error:
    'The handler returned, but the worker reported no result, usually because the output is not JSON. ' +
    'The log of the job contains the error: read it with `/logs`.',
};

const tooLarge = (size: number) =>
  `The output has ${size} bytes; at most ${payloadLimits.output} are allowed. The job ran, but its output is lost.`;

/**
 * Stores how a job ended.
 *
 * Input: the job as taken, the worker's report. Output: whether this report counts.
 *  1. Store a payload that is too large for the item, so that its output is durable before the job is COMPLETED.
 *  2. Complete or fail the job, fenced by worker and attempt. A late report, or a report for a job of another
 *     worker, changes nothing. A repeated report gets the same result. No report counts after the job was ended
 *     because its worker was lost.
 * @param workerTime returns the attempt's share of the worker's time until now, in whole milliseconds
 */
export async function finish(
  ports: { readonly clock: Clock; readonly jobs: Jobs; readonly objects: Objects; readonly payloads: Payloads },
  job: RunningJob,
  { output, size = Buffer.byteLength(output ?? ''), error, code = 'WORKER_ERROR', chunks }: Report,
  workerTime: () => number | undefined = () => undefined,
): Promise<boolean> {
  const removeAfter = removeAfterEnd(ports.clock.now() + job.retention);
  const keep = (name: 'output' | 'error', text: string, beside: Readonly<Record<string, unknown>>) => {
    const inline = inlineAtEnd(job, name, beside);
    const item = name === 'error' ? payloadLimits.errorItem : payloadLimits.item;
    return store(ports, job, `${name}#${job.attempt}`, Buffer.from(text), removeAfter, inline, item);
  };

  const fits = size <= payloadLimits.output;
  const problem = fits ? error : tooLarge(size);
  const ending = { ...endMembers(chunks), ...(problem !== undefined && failureMembers) };
  const $output = fits && output !== undefined ? await keep('output', output, ending) : undefined;
  const $error =
    problem === undefined
      ? undefined
      : await keep('error', problem.slice(0, payloadLimits.error), { ...ending, output: $output });

  const members = { ...ending, output: $output, ...($error && { error: $error }) };
  // Readers have seen the job run while its payloads were stored, so the run ends now.
  const now = ports.clock.now();
  const facts = {
    $now: now,
    $graceStart: now - REPORT_GRACE,
    $worker: job.worker,
    $attempt: job.attempt,
    $removeAfter: removeAfterEnd(now + job.retention),
    $chunks: chunks || undefined,
    $workerTime: fitsAtEnd(job, members) ? workerTime() : undefined,
    $output,
  };
  const $code = fits ? code : 'OUTPUT_TOO_LARGE';
  const reported = $error
    ? await ports.jobs.report('fail', job, { ...facts, $error, $code })
    : await ports.jobs.report('complete', job, facts);
  if (reported.moved) return true;
  const { job: stored } = reported;
  const isReported = stored?.status === 'COMPLETED' || (stored?.status === 'FAILED' && stored.code !== 'WORKER_LOST');
  return isReported && stored.worker === job.worker && stored.attempt === job.attempt;
}

/**
 * Stores the progress of a job: readers see it as the output until the job ends.
 *
 * Input: the job as taken, the progress as JSON text. Output: whether the worker still holds the job.
 *  1. Store progress that is too large for the item under a different name than the final output.
 *  2. Store the progress or its location in the job, fenced by worker and attempt.
 */
export async function progress(
  ports: { readonly clock: Clock; readonly jobs: Jobs; readonly objects: Objects; readonly payloads: Payloads },
  job: RunningJob,
  output: string,
): Promise<boolean> {
  const removeAfter = removeAfterEnd(job.executionDeadline + job.retention);
  const limit = inlineAtEnd(job, 'output');
  const $output = await store(ports, job, `progress#${job.attempt}`, Buffer.from(output), removeAfter, limit);
  const facts = { $worker: job.worker, $attempt: job.attempt, $output };
  return (await ports.jobs.report('progress', job, facts)).moved;
}
