/** The jobs that each worker has ended, counted by the sweeper: one row for each worker. */
import * as z from 'zod/mini';
import { isoTime } from '../requests/time.ts';
import { type EndedJob, isFailure } from './ended-job.ts';

const count = z.int().check(z.gte(0));

const lastErrorSchema = z.object({
  /** Id of the job, and when it ended in milliseconds since the epoch. */
  job: z.string(),
  at: z.number(),
  code: z.optional(z.string()),
  /** First line of the error, at most `historyLimits.error` bytes. */
  error: z.optional(z.string()),
});

/** Jobs that have ended on a worker. `failed` are those that failed or exceeded their time. */
export const workerJobsSchema = z.object({
  completed: z._default(count, 0),
  failed: z._default(count, 0),
  lastError: z.optional(lastErrorSchema),
});
export type WorkerJobs = Readonly<z.infer<typeof workerJobsSchema>>;

/** The counts of workers. */
export interface WorkerJobCounts {
  /**
   * Adds the jobs of a minute to those of earlier minutes. A repeated call adds nothing: jobs of a minute that is summed
   * again, because the ledger was late, are not counted.
   * @param minute its begin, in milliseconds since the epoch
   */
  add(endpoint: string, worker: string, minute: number, jobs: WorkerJobs): Promise<void>;
  /** Returns the counts by worker. A worker without counts has ended no jobs. */
  read(endpoint: string, workers: readonly string[]): Promise<ReadonlyMap<string, WorkerJobs>>;
}

/** Counts the jobs by the worker on which they ended. */
export function jobsByWorker(jobs: readonly EndedJob[]): ReadonlyMap<string, WorkerJobs> {
  const counts = new Map<string, WorkerJobs>();
  for (const [worker, ended] of Map.groupBy(jobs, (job) => job.worker)) {
    if (worker === undefined) continue;
    const failed = ended.filter(isFailure);
    const last = failed.toSorted((one, other) => one.finishedAt - other.finishedAt).at(-1);
    const completed = ended.filter(({ status }) => status === 'COMPLETED').length;
    if (completed + failed.length === 0) continue;
    counts.set(worker, {
      completed,
      failed: failed.length,
      ...(last && { lastError: { job: last.id, at: last.finishedAt, code: last.code, error: last.error } }),
    });
  }
  return counts;
}

/** The counts of a worker in responses. Times are ISO 8601. */
export interface WorkerJobsSummary {
  /** Jobs that ended on the worker at least two minutes ago; `failed` with those that exceeded their time. */
  readonly completed: number;
  readonly failed: number;
  /** The last job that failed. */
  readonly lastError?: {
    readonly job: string;
    readonly at: string;
    readonly code?: string | undefined;
    readonly error?: string | undefined;
  };
}

export const summaryOfJobs = ({
  completed = 0,
  failed = 0,
  lastError,
}: Partial<WorkerJobs> = {}): WorkerJobsSummary => ({
  completed,
  failed,
  ...(lastError && { lastError: { ...lastError, at: isoTime(lastError.at) } }),
});
