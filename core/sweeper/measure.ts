/** Numbers of an endpoint that the sweeper publishes as metrics, in minutes in which something happens. */
import type { CountedEnds, Endpoint } from '../endpoints/endpoint.ts';
import { spendingToday } from '../endpoints/spending.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { SECOND } from '../limits.ts';
import { type ActivityPorts, readActivity } from '../status/activity.ts';
import { lackingWorkers } from '../workers/count.ts';
import { isAlive } from '../workers/lease.ts';

/** The metrics by number. Their names follow the conventions of OpenTelemetry. */
export const endpointMetrics = {
  oldestSeconds: { name: 'gpu_endpoints.job.queue.oldest_age', unit: 'Seconds' },
  waiting: { name: 'gpu_endpoints.job.queue.depth', unit: 'Count' },
  ended: { name: 'gpu_endpoints.job.ended', unit: 'Count' },
  failed: { name: 'gpu_endpoints.job.failed', unit: 'Count' },
  missing: { name: 'gpu_endpoints.worker.missing', unit: 'Count' },
  running: { name: 'gpu_endpoints.job.running', unit: 'Count' },
  workers: { name: 'gpu_endpoints.worker.count', unit: 'Count' },
  rolledBack: { name: 'gpu_endpoints.release.rolled_back', unit: 'Count' },
  budgetUsed: { name: 'gpu_endpoints.budget.used', unit: 'Percent' },
} as const;

export type MetricName = keyof typeof endpointMetrics;

/** Which metrics are published: none, the few that alarms need, or all. */
export const metricChoices = ['none', 'few', 'all'] as const;
export type MetricChoice = (typeof metricChoices)[number];

/** Metrics of which no alarm needs any. */
const onlyWithAll: readonly MetricName[] = ['running', 'workers'];

/** Returns whether the choice contains the metric. */
export const isPublished = (name: MetricName, choice: MetricChoice): boolean =>
  choice === 'all' || (choice === 'few' && !onlyWithAll.includes(name));

/** Dimension of the metrics. */
export const METRIC_DIMENSION = 'endpoint';

export interface Measured {
  /** Seconds for which the oldest normal job has waited; 0 if none waits. */
  readonly oldestSeconds: number;
  readonly waiting: number;
  readonly running: number;
  /** Number of live workers, also starting ones. */
  readonly workers: number;
  /** Number of missing workers, if they are overdue or something keeps them from starting; otherwise 0. */
  readonly missing: number;
  /** Numbers of the jobs that have ended and have failed since the metrics last counted them. */
  readonly ended: number;
  readonly failed: number;
  /** Whether the last release is rolled back. */
  readonly isRolledBack: boolean;
  /** Percentage of the budget of today that is spent; absent without a budget. */
  readonly budgetUsed?: number | undefined;
}

/** Values of the metrics of an endpoint for one minute. */
export type MetricValues = Readonly<Partial<Record<MetricName, number>>>;

/** Returns the percentage of the budget of today that the last sweep found to be spent. */
function budgetUsed(endpoint: Endpoint, now: number): number | undefined {
  const { maxDollarsPerDay: max } = endpoint;
  return max === undefined ? undefined : (100 * (spendingToday(endpoint, now)?.dollars ?? 0)) / max;
}

/**
 * Returns the jobs that have ended since the metrics last counted them, and stores that they are counted. Two sweeps at
 * the same time count each job once. A sweep that crashes afterwards does not publish them.
 */
async function newEnds(
  { endpoints }: { readonly endpoints: Pick<Endpoints, 'saveCountedEnds'> },
  endpoint: Endpoint,
): Promise<CountedEnds> {
  const { completed, failed } = endpoint.counts;
  const { countedEnds: before } = endpoint;
  const counted = { ended: completed + failed, failed };
  const none = { ended: 0, failed: 0 };
  if (before?.ended === counted.ended && before.failed === counted.failed) return none;
  const isStored = await endpoints.saveCountedEnds(endpoint, counted);
  // The jobs of an endpoint that was never measured can have ended long ago.
  if (!before || !isStored) return none;
  // A correction of the counters can reduce them.
  const ended = Math.max(0, counted.ended - before.ended);
  return { ended, failed: Math.min(ended, Math.max(0, failed - before.failed)) };
}

/**
 * Measures an endpoint. Reads no items of an endpoint without jobs and without requested workers, and writes one only
 * if jobs have ended.
 * @param endpoint as listed at the beginning of the sweep
 */
export async function measure(
  ports: ActivityPorts & { readonly endpoints: Pick<Endpoints, 'saveCountedEnds'> },
  endpoint: Endpoint,
): Promise<Measured> {
  const { inQueue, inProgress } = endpoint.counts;
  const { leases, oldestWaiting = 0, now } = await readActivity(ports, endpoint);
  return {
    oldestSeconds: Math.floor(oldestWaiting / SECOND),
    waiting: Math.max(0, inQueue),
    running: Math.max(0, inProgress),
    missing: lackingWorkers(endpoint, leases, now),
    workers: leases.filter((lease) => isAlive(lease, now)).length,
    isRolledBack: endpoint.release?.refused !== undefined,
    budgetUsed: budgetUsed(endpoint, now),
    // Last, because a failure of an earlier step would lose what is counted.
    ...(await newEnds(ports, endpoint)),
  };
}

/**
 * Returns the values of a minute: none if nothing waited, ran, ended or was missing, and that of a release that is rolled
 * back only while it is, because each value costs money. Workers that only idle count if their number is published.
 */
export function metricValuesOf({ isRolledBack, budgetUsed, ...numbers }: Measured, choice: MetricChoice): MetricValues {
  const { waiting, running, missing, ended, workers } = numbers;
  const idleWorkers = isPublished('workers', choice) ? workers : 0;
  const isIdle = waiting + running + missing + ended + idleWorkers === 0;
  const values: MetricValues = {
    ...(!isIdle && { ...numbers, ...(budgetUsed !== undefined && { budgetUsed }) }),
    ...(isRolledBack && { rolledBack: 1 }),
  };
  const published = Object.entries(values).filter(([name]) => isPublished(name as MetricName, choice));
  return Object.fromEntries(published);
}
