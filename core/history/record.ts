/** Adds the jobs and the attempts that changes have ended to the history. */
import pLimit from 'p-limit';
import type { Clock } from '../clock.ts';
import type { Endpoints } from '../endpoints/store.ts';
import type { Job, JobChange } from '../jobs/job.ts';
import { PayloadMissing, type Payloads } from '../jobs/store.ts';
import { withDollars } from './cost.ts';
import { attemptEndedBy } from './ended-attempt.ts';
import { type EndedJob, endedBy, endsInThePast, isFailure, rowOf } from './ended-job.ts';
import { errorLine, fingerprintOf } from './fingerprint.ts';
import type { LateFact } from './late-fact.ts';
import { ERRORS_AT_ONCE } from './limits.ts';
import type { AttemptHistory, JobHistory, LateJobHistory } from './store.ts';

export type RecordHistoryPorts = {
  readonly clock: Clock;
  readonly attemptHistory: AttemptHistory;
  readonly endpoints: Pick<Endpoints, 'workerPrice'>;
  readonly jobHistory: JobHistory;
  readonly lateJobHistory: LateJobHistory;
  readonly payloads: Payloads;
};

/** Returns the error of a failed job, or undefined if it is not stored: workers can write any location into a job. */
async function errorOf({ payloads }: RecordHistoryPorts, job: Job): Promise<string | undefined> {
  if (job.status !== 'FAILED' || 'object' in job.error) return undefined;
  if ('inline' in job.error) return job.error.inline;
  try {
    return await payloads.read(job, job.error.stored);
  } catch (error) {
    if (error instanceof PayloadMissing) return undefined;
    throw error;
  }
}

async function withError(ports: RecordHistoryPorts, row: EndedJob, job: Job): Promise<EndedJob> {
  const error = await errorOf(ports, job);
  const line = error === undefined ? undefined : errorLine(error);
  return {
    ...row,
    ...(line && { error: line }),
    ...(isFailure(row) && { fingerprint: fingerprintOf(row.code ?? '', line ?? '') }),
  };
}

/**
 * Adds the jobs that the changes have ended to the history, with the first line of the error of each failed job, and the
 * attempts after which a job was queued again.
 *
 * Input: changes of one endpoint. A repeated call stores each row once. Output: what was added.
 */
export async function recordHistory(
  ports: RecordHistoryPorts,
  changes: readonly JobChange[],
): Promise<readonly LateFact[]> {
  if (!ports.jobHistory.isKept) return [];
  const attempts = changes.map(attemptEndedBy).filter((attempt) => attempt !== undefined);
  const ended = changes.flatMap((change) => {
    const job = endedBy(change);
    return job ? [{ job, storedAt: change.at ?? ports.clock.now() }] : [];
  });
  const [first] = [...attempts, ...ended.map(({ job }) => job)];
  if (!first) return [];
  const price = await ports.endpoints.workerPrice(first.endpoint);
  if (attempts.length > 0) await ports.attemptHistory.save(attempts.map((attempt) => withDollars(attempt, price)));
  const requeued = attempts.map(({ endedAt, startedAt }) => ({ at: endedAt, from: startedAt }));
  if (ended.length === 0) return requeued;
  const rows = await pLimit(ERRORS_AT_ONCE).map(ended, async ({ job, storedAt }) => ({
    ...(await withError(ports, withDollars(rowOf(job), price), job)),
    storedAt,
  }));
  await ports.jobHistory.save(rows.map(({ storedAt, ...row }) => row));
  await ports.lateJobHistory.save(rows.filter(endsInThePast));
  const ends = rows.map((row) => ({ at: endsInThePast(row) ? row.storedAt : row.finishedAt, from: row.startedAt }));
  return [...requeued, ...ends];
}
