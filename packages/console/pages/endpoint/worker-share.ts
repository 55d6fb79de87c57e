/** Finds workers that fail more often than their endpoint. */
import type { Worker } from '../../api/management-types.ts';

type Counts = Pick<Worker, 'completed' | 'failed'>;

/** A worker whose share of failures is more than this many times that of its endpoint is marked. */
const TIMES = 3;
/** One or two failures say little. */
const MIN_FAILED = 3;

/** Returns the share of jobs that failed, from 0 to 1; 0 without jobs. */
const shareOf = ({ completed, failed }: Counts): number =>
  completed + failed === 0 ? 0 : failed / (completed + failed);

/** Returns the sum of the counts of all workers of an endpoint. */
export const sumOf = (workers: readonly Counts[]): Counts => ({
  completed: workers.reduce((sum, { completed }) => sum + completed, 0),
  failed: workers.reduce((sum, { failed }) => sum + failed, 0),
});

const percent = (share: number) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;

/**
 * Returns the remark on a worker that fails over three times as often as its endpoint; undefined for the others.
 * @param all counts of all workers of the endpoint
 */
export function failingRemark(worker: Counts, all: Counts): string | undefined {
  const [share, usual] = [shareOf(worker), shareOf(all)];
  if (worker.failed < MIN_FAILED || share <= TIMES * usual) return undefined;
  const jobs = worker.completed + worker.failed;
  return `${worker.failed} of its ${jobs} jobs failed (${percent(share)}); of all workers ${percent(usual)}.`;
}
