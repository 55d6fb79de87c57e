/** The history of an endpoint, whose jobs fail and wait since a release in the night. */
import type { Alarm, EndpointEvent, EndpointSeries, SeriesPoint, SeriesTotal } from '../../api/management-types.ts';
import { ago, DAY, HOUR, MINUTE, NOW } from './clock.ts';

const lengths = { minute: MINUTE, hour: HOUR, day: DAY } as const;

/** When jobs began to fail. */
export const BROKEN = 3 * HOUR;

function pointAt(at: number, step: number): SeriesPoint {
  const day = Math.sin((at / DAY) * 2 * Math.PI);
  const isBroken = NOW - at <= BROKEN + step / 2;
  const jobs = Math.round(((60 + 40 * day) * step) / HOUR) + 1;
  const failed = isBroken ? Math.round(jobs * 0.3) : Math.round(jobs * 0.02);
  const waits = isBroken ? 190_000 : 4_000 + 2_000 * day;
  const hours = step / HOUR;
  return {
    from: new Date(at).toISOString(),
    ended: {
      COMPLETED: jobs - failed,
      WORKER_ERROR: failed,
      ...(isBroken && { EXECUTION_TIMEOUT: Math.ceil(jobs / 40) }),
    },
    requeued: 0,
    delayTime: { p50: Math.round(waits / 3), p95: Math.round(waits), p99: Math.round(waits * 1.4) },
    executionTime: { p50: 2_300, p95: Math.round(6_100 + 900 * day), p99: 9_000 },
    waiting: isBroken ? 80 : 1.5 + day,
    maxWaiting: isBroken ? 412 : 9,
    oldestWaiting: isBroken ? 31 * MINUTE : 11_000,
    running: 3,
    workers: { RUNNING: 2.4, IDLE: 0.6 + 0.4 * day, INITIALIZING: 0.3, THROTTLED: isBroken ? 5 : 0, UNHEALTHY: 0 },
    ready: 2,
    stages: { QUEUED: 4_000, INSTANCE: 41_000, BOOT: 28_000, IMAGE: 63_000, WORKER: 22_000 },
    workerTime: { busy: 2.4 * step, idle: 0.6 * step, starting: 0.3 * step },
    dollars: { busy: 2.41 * hours, idle: 0.62 * hours, starting: 0.31 * hours },
  };
}

const summed = (points: readonly SeriesPoint[], of: (point: SeriesPoint) => number | undefined) =>
  points.reduce((sum, point) => sum + (of(point) ?? 0), 0);

function totalOf(points: readonly SeriesPoint[]): SeriesTotal {
  const [first = pointAt(NOW, HOUR)] = points;
  const { from: _, ...rest } = first;
  const codes = [...new Set(points.flatMap(({ ended }) => Object.keys(ended)))];
  return {
    ...rest,
    ended: Object.fromEntries(codes.map((code) => [code, summed(points, ({ ended }) => ended[code])])),
    delayTime: { p50: 1_740, p95: 12_400, p99: 188_000 },
    maxWaiting: 412,
    oldestWaiting: 31 * MINUTE,
    dollars: {
      busy: summed(points, ({ dollars }) => dollars?.busy),
      idle: summed(points, ({ dollars }) => dollars?.idle),
      starting: summed(points, ({ dollars }) => dollars?.starting),
    },
  };
}

/** Returns the series of the query. */
export function seriesOf(url: URL): EndpointSeries {
  const step = (url.searchParams.get('step') ?? 'hour') as keyof typeof lengths;
  const since = Date.parse(url.searchParams.get('since') ?? ago(DAY));
  const length = lengths[step];
  const points: SeriesPoint[] = [];
  for (let at = since; at < NOW; at += length) if (at - since !== 7 * length) points.push(pointAt(at, length));
  return { step, points, total: totalOf(points), summedTo: ago(2 * MINUTE) };
}

export const events: readonly EndpointEvent[] = [
  {
    kind: 'CONDITION',
    at: ago(31 * MINUTE),
    to: 'NO_CAPACITY',
    detail: 'The provider has no capacity for a worker: RESOURCE:GPU.',
  },
  { kind: 'RESUME', at: ago(50 * MINUTE), by: { kind: 'user', id: '0f3c', name: 'ada' } },
  {
    kind: 'RELEASE',
    at: ago(BROKEN),
    from: 'IN_PROGRESS',
    to: 'COMPLETED',
    revision: 11,
    version: 7,
    template: 'team-sdxl',
  },
  {
    kind: 'RELEASE',
    at: ago(BROKEN + 4 * MINUTE),
    to: 'IN_PROGRESS',
    revision: 11,
    version: 7,
    template: 'team-sdxl',
    by: { kind: 'key', id: '9f2c41d07a3b', name: 'deploy-bot' },
  },
  {
    kind: 'TEMPLATE',
    at: ago(BROKEN + 5 * MINUTE),
    template: 'team-sdxl',
    version: 7,
    fields: ['imageName', 'env'],
    detail: 'Larger batches',
    by: { kind: 'key', id: '9f2c41d07a3b', name: 'deploy-bot' },
  },
  { kind: 'BUDGET', at: ago(5 * HOUR), from: 'WITHIN', to: 'WARNED' },
];

export const alarms: readonly Alarm[] = [
  {
    name: 'AlarmsWaiting',
    endpoint: 'sdxl',
    state: 'ALARM',
    since: ago(14 * MINUTE),
    reason: 'Threshold Crossed: 3 datapoints were greater than the threshold (900000.0).',
    description: 'The oldest job of sdxl waits.',
    runbook: 'guides/monitor.md#what-do-i-do-when-jobs-wait-too-long',
    fullName: 'gpu-endpoints-Platform-AlarmsWaiting-sdxl',
  },
];
