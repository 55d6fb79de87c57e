/**
 * Compares the answers to clients and workers with the stored jobs. The writes of a job have one order, in which
 * they were executed. Each answer must be true of the job at some time during its operation. If every answer is,
 * the history of every job is linearizable.
 */
import { isPurged } from '../../../../core/jobs/delivery-key.ts';
import type { Job } from '../../../../core/jobs/job.ts';
import { REPORT_GRACE } from '../../../../core/limits.ts';
import { waitReasons } from '../../../../core/status/waiting.ts';
import type { Done, History, Reported } from './history.ts';
import type { Log, Version } from './log.ts';
import { WAIT } from './operations.ts';

const ENDED = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'];
const hasEnded = ({ job }: Version) => ENDED.includes(job.status);
const field = (job: Job, name: string) => (job as Readonly<Record<string, unknown>>)[name];

/** Returns the versions that existed at some time during the operation. */
export function versionsDuring(log: Log, done: Done): readonly Version[] {
  const versions = log.versionsOf(done.job ?? '');
  return versions.filter(
    ({ index }, n) => index <= done.end && (versions[n + 1]?.index ?? Number.POSITIVE_INFINITY) > done.start,
  );
}

/** Returns whether the job did not exist yet when the operation began. */
const wasAbsent = (log: Log, done: Done) => (log.versionsOf(done.job ?? '')[0]?.index ?? done.end + 1) > done.start;

/** Returns whether the deadline or expiry of the version was still in the future when the operation began. */
function wasInTime({ job }: Version, done: Done): boolean {
  if (job.status === 'IN_QUEUE') return done.from < job.queueDeadline;
  if (job.status === 'IN_PROGRESS') return done.from <= job.executionDeadline + REPORT_GRACE;
  return done.from < job.expiresAt;
}

interface JobAnswer {
  readonly status: string;
  readonly attempts: number;
  readonly output?: unknown;
  readonly error?: string;
  readonly code?: string;
  readonly delayTime?: number;
  readonly executionTime?: number;
  readonly queuePosition?: number;
  readonly waitReason?: string;
}

/** Returns the outputs that a reader of the version can get: the reported output, or any progress reported so far. */
function outputsOf(version: Version, reports: readonly Reported[]): readonly (string | undefined)[] {
  const { job } = version;
  if (field(job, 'output') === undefined) return [undefined];
  const ofAttempt = reports.filter(({ job: id, attempt }) => id === job.id && attempt === job.attempt);
  return ofAttempt.filter(({ progress }) => progress === (job.status === 'IN_PROGRESS')).map(({ output }) => output);
}

/** Returns whether the answer has a queue position and a wait reason exactly while the job waits. */
function agreesWithStatus({ status, queuePosition, waitReason }: JobAnswer): boolean {
  if (status !== 'IN_QUEUE') return queuePosition === undefined && waitReason === undefined;
  return Number.isInteger(queuePosition) && Number(queuePosition) >= 1 && (waitReason ?? '') in waitReasons;
}

function agrees(record: JobAnswer, version: Version, { reports }: History): boolean {
  const { job } = version;
  const outputs = outputsOf(version, reports).map((text) => (text === undefined ? undefined : JSON.parse(text)));
  const code = 'code' in job ? job.code : undefined;
  return (
    record.status === job.status &&
    record.attempts === job.attempt &&
    record.code === code &&
    (record.delayTime ?? 0) >= 0 &&
    (record.executionTime ?? 0) >= 0 &&
    (record.executionTime ?? 0) <= job.executionTimeout &&
    agreesWithStatus(record) &&
    outputs.some((output) => JSON.stringify(output) === JSON.stringify(record.output))
  );
}

/** Checks by operation whether an answer was true. */
const truths: Readonly<{ [does in string]: (done: Done, answer: never, history: History, log: Log) => boolean }> = {
  run: (done, { status }: JobAnswer, _history, log) =>
    status === 'IN_QUEUE' && log.versionsOf(done.job ?? '')[0]?.by.number === done.number,

  status: (done, record: JobAnswer | undefined, history, log) =>
    record === undefined ||
    versionsDuring(log, done).some((version) => wasInTime(version, done) && agrees(record, version, history)),

  /** The answer must be the job. Its result must expire at the requested time or sooner. */
  shorten: (done, record: JobAnswer | undefined, history, log) => {
    const { ttl } = done.operation as { readonly ttl: number };
    return (
      record === undefined ||
      versionsDuring(log, done).some(
        (version) =>
          wasInTime(version, done) &&
          agrees(record, version, history) &&
          ('expiresAt' in version.job ? version.job.expiresAt <= done.to + ttl : version.job.retention <= ttl),
      )
    );
  },

  /** The answer must be the ended job, or the job at the end of the wait. */
  wait: (done, record: JobAnswer | undefined, history, log) =>
    record === undefined ||
    ((ENDED.includes(record.status) || done.to - done.from >= WAIT) &&
      versionsDuring(log, done).some((version) => agrees(record, version, history))),

  cancel: (done, answer: JobAnswer | undefined, _history, log) =>
    answer === undefined ||
    versionsDuring(log, done).some((version) => hasEnded(version) && version.job.status === answer.status),

  retry: (done, answer: JobAnswer | undefined, _history, log) =>
    answer === undefined ||
    (answer.status === 'IN_QUEUE' &&
      log.versionsOf(done.job ?? '').some(({ by, job }) => by.number === done.number && job.status === 'IN_QUEUE')),

  /** The n-th purge ends the generation n. Its number is that of the jobs of this generation that it has removed. */
  purge(done, { removed, status }: { removed: number; status: string }, { inputs }, log) {
    const ended = log.purges.findIndex(({ by }) => by.number === done.number);
    const ids = [...inputs.keys()].filter((id) => {
      const job = log.versionsOf(id).findLast(({ index }) => index <= done.end)?.job;
      return job?.generation === ended && (job.status === 'IN_QUEUE' || isPurged(job));
    });
    return status === 'completed' && ended >= 0 && removed === ids.length;
  },

  health: (_done, { jobs, workers }: { jobs: object; workers: object }) =>
    [...Object.values(jobs), ...Object.values(workers)].every((count) => Number.isInteger(count) && count >= 0),

  /** A client of another endpoint must not read the job. */
  foreign: (_done, answer: unknown) => answer === undefined,

  /** After an accepted report, the attempt must have ended, unless the report was too late. */
  report: (done, answer: string | undefined, { reports }, log) => {
    const report = reports.find((candidate) => candidate.done === done);
    const last = log.versionsOf(answer ?? '').findLast(({ index }) => index <= done.end);
    if (!report || !last || last.job.status !== 'IN_PROGRESS' || last.job.attempt !== report.attempt) return true;
    return done.to > last.job.executionDeadline + REPORT_GRACE;
  },
};

/** Checks by error code whether a refusal was right. */
const refusals: Readonly<Record<string, (done: Done, log: Log) => boolean>> = {
  JOB_NOT_FOUND: (done, log) => done.operation.does === 'foreign' || wasAbsent(log, done),
  JOB_EXPIRED: (done, log) =>
    versionsDuring(log, done).some(({ job }) => 'expiresAt' in job && done.to >= job.expiresAt),
  JOB_NOT_RETRYABLE: (done, log) =>
    done.operation.does === 'retry' &&
    versionsDuring(log, done).some(({ job }) => job.status !== 'FAILED' && job.status !== 'TIMED_OUT'),
};

/** @param troubled numbers of the operations that had a fault, which may fail */
export function checkAnswers(history: History, log: Log, troubled: ReadonlySet<number>): string[] {
  return history.dones.flatMap((done) => {
    const { operation, outcome, number } = done;
    const where = `${operation.does} ${number}${done.job ? ` of ${done.job}` : ''}`;
    switch (outcome.is) {
      case 'answered': {
        const isTrue = truths[operation.does];
        if (!isTrue || isTrue(done, outcome.answer as never, history, log)) return [];
        return [
          `${where} was answered ${JSON.stringify(outcome.answer)}, which was not true at any time during the operation`,
        ];
      }
      case 'refused':
        return refusals[outcome.code]?.(done, log) ? [] : [`${where} was refused with ${outcome.code}`];
      case 'failed':
        return troubled.has(number) ? [] : [`${where} failed without a fault: ${String(outcome.error)}`];
      default:
        return [];
    }
  });
}
