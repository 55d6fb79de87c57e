/** Numbers of an endpoint that the sweeper publishes as metrics, in minutes in which something happens. */
import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Arrivals } from '../ledger/store.ts';
import { MINUTE, SECOND, SWEEP } from '../limits.ts';
import { oldestWaiting } from '../status/waiting.ts';
import { presenceOf } from '../workers/count.ts';
import type { Workers } from '../workers/lease.ts';

/** The metrics by number. Their names follow the conventions of OpenTelemetry. */
export const endpointMetrics = {
  oldestSeconds: { name: 'gpu_endpoints.job.queue.oldest_age', unit: 'Seconds' },
  waiting: { name: 'gpu_endpoints.job.queue.depth', unit: 'Count' },
  ended: { name: 'gpu_endpoints.job.ended', unit: 'Count' },
  failed: { name: 'gpu_endpoints.job.failed', unit: 'Count' },
  missing: { name: 'gpu_endpoints.worker.missing', unit: 'Count' },
} as const;

/** Dimension of the metrics. */
export const METRIC_DIMENSION = 'endpoint';

export interface Measured {
  /** Time of the sweep. */
  readonly at: number;
  /** Seconds for which the oldest normal job has waited; 0 if none waits. */
  readonly oldestSeconds: number;
  readonly waiting: number;
  readonly running: number;
  /** Number of missing workers, if they are overdue or something keeps them from starting; otherwise 0. */
  readonly missing: number;
  /** Numbers of all jobs that have ended and have failed, which only grow. */
  readonly everEnded: number;
  readonly everFailed: number;
}

/** Values of the metrics of an endpoint for one minute. */
export type MetricValues = Readonly<Record<keyof typeof endpointMetrics, number>>;

/**
 * Measures an endpoint. Reads no items of an endpoint without jobs and without requested workers.
 * @param endpoint as listed at the beginning of the sweep
 */
export async function measure(
  ports: {
    readonly arrivals: Pick<Arrivals, 'earliest'>;
    readonly clock: Clock;
    readonly workers: Pick<Workers, 'list'>;
  },
  endpoint: Endpoint,
): Promise<Measured> {
  const { inQueue, inProgress, completed, failed } = endpoint.counts;
  const wantsWorkers = inQueue > 0 || inProgress > 0 || (endpoint.desiredWorkers ?? endpoint.minWorkers) > 0;
  const [age = 0, leases] = await Promise.all([
    oldestWaiting(ports, endpoint),
    wantsWorkers ? ports.workers.list(endpoint.id) : [],
  ]);
  const at = ports.clock.now();
  const { missing, blocker, overdue } = presenceOf(endpoint, leases, at);
  return {
    at,
    oldestSeconds: Math.floor(age / SECOND),
    waiting: Math.max(0, inQueue),
    running: Math.max(0, inProgress),
    missing: blocker || overdue ? missing : 0,
    everEnded: completed + failed,
    everFailed: failed,
  };
}

/**
 * Time after which a measurement is too old for a difference. The sweeper can have several processes: a process that
 * has missed a sweep would count jobs that another one has counted.
 */
const COMPARABLE = SWEEP + MINUTE / 2;

/**
 * Returns the values of a minute, or undefined if nothing waited, ran, ended or was missing.
 * @param before the measurement of the previous sweep of the process. Without it, no jobs count as ended.
 */
export function metricValuesOf(before: Measured | undefined, now: Measured): MetricValues | undefined {
  const last = before !== undefined && now.at - before.at <= COMPARABLE ? before : now;
  const ended = Math.max(0, now.everEnded - last.everEnded);
  const failed = Math.min(ended, Math.max(0, now.everFailed - last.everFailed));
  const { oldestSeconds, waiting, running, missing } = now;
  if (waiting + running + missing + ended === 0) return undefined;
  return { oldestSeconds, waiting, ended, failed, missing };
}
