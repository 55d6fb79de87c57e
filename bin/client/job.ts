/** Job records as commands print them. */
import type { JobStatus } from '../../core/jobs/job.ts';
import type { StageSummary } from '../../core/status/timeline.ts';
import type { NextSteps } from './next-steps.ts';
import { duration, printFacts, printTable } from './print.ts';
import { detailOf } from './wait-reasons.ts';

/** The members of a job record that commands print. The service sends more, which `--json` prints unchanged. */
export interface JobRecord {
  readonly id: string;
  readonly status: JobStatus;
  readonly delayTime: number;
  readonly executionTime: number;
  readonly attempts?: number;
  readonly workerId?: string;
  readonly queuePosition?: number;
  readonly waitReason?: string;
  readonly waitDetail?: string;
  readonly error?: string;
  readonly code?: string;
  readonly output?: unknown;
  readonly webhook?: { readonly state: string; readonly attempts: number; readonly lastError?: string };
  readonly timeline?: readonly StageSummary[];
}

/** Exit code of a command that waited for a job which did not succeed. */
export const NOT_COMPLETED = 3;

export const hasEnded = ({ status }: Pick<JobRecord, 'status'>): boolean =>
  status !== 'IN_QUEUE' && status !== 'IN_PROGRESS';

/** Returns where a job is that has not ended, with the reason if it waits. */
export function progressOf({ status, delayTime, executionTime, ...job }: JobRecord): string {
  if (status !== 'IN_QUEUE')
    return `${status} for ${duration(executionTime)}${job.workerId === undefined ? '' : ` on worker ${job.workerId}`}`;
  const place = job.queuePosition === undefined ? '' : `, position ${job.queuePosition}`;
  const reason = job.waitReason === undefined ? '' : `: ${job.waitReason}`;
  const detail = detailOf(job.waitReason, job.waitDetail);
  return `${status} for ${duration(delayTime)}${place}${reason}${detail ? ` (${detail})` : ''}`;
}

/** Characters of a worker's progress in a line. */
const MAX_PROGRESS = 200;

/** Returns in one line where a job is that has not ended, with the last progress that its worker reported. */
export function lineOf(record: JobRecord): string {
  const { status, executionTime, output } = record;
  if (status !== 'IN_PROGRESS' || output === undefined) return progressOf(record);
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  // The worker's text could otherwise move the cursor of the terminal.
  const line = text.slice(0, MAX_PROGRESS).replace(/[\s\p{C}]+/gu, ' ');
  return `${status} for ${duration(executionTime)}: ${line}`;
}

/** Prints an output: text as it is, anything else as JSON. */
export const printOutput = (output: unknown): void =>
  console.log(typeof output === 'string' ? output : JSON.stringify(output, undefined, 2));

/** Returns the exit code of a command that has waited for the job. */
export const codeOf = ({ status }: JobRecord): number => (status === 'COMPLETED' ? 0 : NOT_COMPLETED);

/** Returns the status with its code, which a cancelled job has twice. */
const statusText = ({ status, code = status }: JobRecord) => (code === status ? status : `${status} (${code})`);

/** Prints where the log of a job is. A job that expired in its queue has none: its endpoint may say why it waited. */
const printCause = ({ code }: JobRecord, { log, endpoint }: NextSteps) =>
  console.error(code === 'QUEUE_TTL_EXPIRED' ? `Why jobs of its endpoint wait: ${endpoint}` : `Its log: ${log}`);

/** Prints where the cause is, and how the job is queued again. The service does not retry a cancelled job. */
export function printRemedies(record: JobRecord, next: NextSteps): void {
  printCause(record, next);
  if (record.status !== 'CANCELLED') console.error(`To retry it: ${next.retry}`);
}

/** Prints why a job has no result, and where the cause is. */
export function printFailure(record: JobRecord, next: NextSteps): void {
  const { id, error } = record;
  console.error(`${id} is ${statusText(record)}${error === undefined ? '.' : `: ${error}`}`);
  printCause(record, next);
}

function webhookText({ state, attempts, lastError }: NonNullable<JobRecord['webhook']>): string {
  const count = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
  return `${state} after ${count}${lastError === undefined ? '' : `: ${lastError}`}`;
}

/** Prints a job record for people. */
export function printRecord(endpoint: string, record: JobRecord, next: NextSteps): void {
  const { id, error, attempts, workerId, webhook, timeline, output } = record;
  printFacts([
    ['Job', id],
    ['Endpoint', endpoint],
    ['Status', hasEnded(record) ? statusText(record) : progressOf(record)],
    ['What helps', record.waitReason && next.endpoint],
    ['Error', error],
    ['Waited', duration(record.delayTime)],
    // A job that no worker has taken has no attempts.
    ['Ran', attempts ? duration(record.executionTime) : undefined],
    ['Attempts', attempts],
    ['Worker', workerId],
    ['Webhook', webhook && webhookText(webhook)],
  ]);
  if (timeline && timeline.length > 0) {
    console.log();
    printTable<StageSummary>(
      [
        { head: 'STAGE', text: ({ stage }) => stage },
        { head: 'STARTED', text: ({ startedAt }) => startedAt },
        { head: 'TOOK', text: (stage) => duration(stage.duration), isNumber: true },
      ],
      timeline,
      '',
    );
  }
  if (output !== undefined) {
    console.log(hasEnded(record) ? '\nOutput:' : '\nProgress:');
    printOutput(output);
  }
}
