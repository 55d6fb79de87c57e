/** Reads the attempts of a job that ended although the job did not. */
import { isoTime } from '../requests/time.ts';
import type { EndedAttempt } from './ended-attempt.ts';
import type { EndedJob } from './ended-job.ts';
import { historyLimits } from './limits.ts';
import { type AttemptHistory, positionAt } from './store.ts';

/** An attempt as responses show it. */
const summaryOf = ({ attempt, worker, revision, startedAt, endedAt, workerTime, dollars, reason }: EndedAttempt) => ({
  attempt,
  worker,
  revision,
  startedAt: isoTime(startedAt),
  endedAt: isoTime(endedAt),
  executionTime: Math.max(0, endedAt - startedAt),
  workerTime,
  dollars,
  reason,
});
export type EarlierAttempt = ReturnType<typeof summaryOf>;

/**
 * Returns the attempts before the last one, oldest first, since the job began to wait: its submission, or its last retry.
 * Reads at most `historyLimits.read` attempts of the endpoint.
 */
export async function earlierAttempts(
  { attemptHistory }: { readonly attemptHistory: AttemptHistory },
  { endpoint, id, queuedAt, finishedAt }: EndedJob,
): Promise<EarlierAttempt[]> {
  const { rows } = await attemptHistory.read({
    endpoint,
    after: positionAt(queuedAt),
    before: positionAt(finishedAt + 1),
    isOldestFirst: true,
    max: historyLimits.read,
  });
  return rows.filter((attempt) => attempt.id === id).map(summaryOf);
}
