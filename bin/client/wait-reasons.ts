/** Explains in a few words why jobs wait. docs/guides/waiting.md has the details. */
import type { WaitReason } from '../../core/status/waiting.ts';

const meanings: Readonly<Record<WaitReason, string>> = {
  BUDGET_SPENT: 'the endpoint has spent its budget of today',
  LOW_PRIORITY: 'no worker is started for a job of low priority',
  NO_CAPACITY: 'the provider has no capacity for a worker',
  QUOTA: 'a quota of the account allows no more workers',
  IMAGE_UNAVAILABLE: 'an image of the worker cannot be pulled',
  CANNOT_START: 'a worker cannot be started',
  WORKER_EXITS: 'workers stop before they ask for a job',
  WORKER_UNHEALTHY: 'workers fail, or no longer ask for jobs',
  WORKER_STARTING: 'a worker starts, or is about to take the job',
  WAITING_FOR_CAPACITY: 'a worker was requested more than 5 minutes ago, and the provider gives no reason',
  SCALING_UP: 'a worker was requested',
  NO_WORKER: 'no worker has been requested yet',
  WORKERS_BUSY: 'every worker has a job',
};

/** Returns what the service reports about a wait, or else what its reason means. */
export const detailOf = (reason: string | undefined, detail: string | undefined): string | undefined =>
  detail || Object.entries(meanings).find(([name]) => name === reason)?.[1];

/** Prints what the reasons in a table mean, each once, beside the output that other programs read. */
export function printMeanings(reasons: readonly (string | undefined)[]): void {
  for (const reason of new Set(reasons)) {
    const meaning = detailOf(reason, undefined);
    if (meaning !== undefined) console.error(`${reason}: ${meaning}.`);
  }
}
