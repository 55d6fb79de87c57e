/**
 * The metrics of endpoints: gauges of now, and counters since the first sum of an endpoint. Their names follow the
 * conventions of OpenTelemetry.
 */
import type { Endpoint } from '../endpoints/endpoint.ts';
import { numberOf } from '../endpoints/release.ts';
import { stageNames } from '../fleet/stages.ts';
import { SECOND } from '../limits.ts';
import type { Activity } from '../status/activity.ts';
import { lackingWorkers } from '../workers/count.ts';
import { stateOf, workerStates } from '../workers/lease.ts';
import { type Histogram, limitOf } from './histogram.ts';
import { timeKinds } from './sums.ts';
import { type Summed, type Totals, totalsOf } from './totals.ts';

type Labels = Readonly<Record<string, string>>;

/** A number, or a distribution with the sum of its durations in seconds. */
export type MetricPoint = { readonly labels?: Labels } & (
  | { readonly value: number }
  | { readonly histogram: Histogram; readonly sum: number }
);

/** What is known of an endpoint. */
export interface EndpointFacts extends Activity {
  readonly endpoint: Endpoint;
  /** Absent if the endpoint was never summed. */
  readonly summed: Summed | undefined;
}

export interface MetricDefinition {
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'histogram' | 'info';
  readonly unit?: 'seconds' | 'dollars';
  /** A sentence. */
  readonly description: string;
  readonly pointsOf: (facts: EndpointFacts) => readonly MetricPoint[];
}

/** Metrics of the totals, which an endpoint without a sum does not have. */
const ofTotals =
  (pointsOf: (totals: Totals) => readonly MetricPoint[]) =>
  ({ summed }: EndpointFacts): readonly MetricPoint[] =>
    summed?.counted === undefined ? [] : pointsOf(totalsOf(summed.counted));

const COMPLETED = 'COMPLETED';

/** Returns the numbers of ended jobs. A label without a value is the same as no label. */
const endedOf = ({ ended }: Totals): MetricPoint[] =>
  Object.entries({ [COMPLETED]: 0, ...ended }).map(([code, value]) => ({
    labels: code === COMPLETED ? {} : { error_type: code },
    value,
  }));

const byKind = (of: Totals['time'], divisor: number): MetricPoint[] =>
  timeKinds.map((state) => ({ labels: { state }, value: Math.max(0, of[state]) / divisor }));

function workersOf({ leases, now }: EndpointFacts): MetricPoint[] {
  const states = leases.map((lease) => stateOf(lease, now));
  return workerStates.map((state) => ({
    labels: { state: state.toLowerCase() },
    value: states.filter((one) => one === state).length,
  }));
}

const PREFIX = 'gpu_endpoints';

export const metricDefinitions: readonly MetricDefinition[] = [
  {
    name: `${PREFIX}.endpoint`,
    kind: 'info',
    description: 'Template, revision and pool of the endpoint, to join with the other metrics.',
    pointsOf: ({ endpoint: { template, release, instanceGroup = 'fargate' } }) => [
      {
        labels: { template, pool: instanceGroup, ...(release && { release: String(numberOf(release.revision)) }) },
        value: 1,
      },
    ],
  },
  {
    name: `${PREFIX}.job.queue.depth`,
    kind: 'gauge',
    description: 'Waiting jobs.',
    pointsOf: ({ endpoint: { counts } }) => {
      const low = Math.max(0, counts.lowInQueue);
      return [
        { labels: { priority: 'normal' }, value: Math.max(0, counts.inQueue - low) },
        { labels: { priority: 'low' }, value: low },
      ];
    },
  },
  {
    name: `${PREFIX}.job.queue.oldest_age`,
    kind: 'gauge',
    unit: 'seconds',
    description: 'Time for which the oldest waiting job of normal priority has waited, 0 if none waits.',
    pointsOf: ({ oldestWaiting = 0 }) => [{ labels: { priority: 'normal' }, value: oldestWaiting / SECOND }],
  },
  {
    name: `${PREFIX}.job.running`,
    kind: 'gauge',
    description: 'Running jobs.',
    pointsOf: ({ endpoint: { counts } }) => [{ value: Math.max(0, counts.inProgress) }],
  },
  {
    name: `${PREFIX}.job.ended`,
    kind: 'counter',
    description: 'Jobs that ended, by the code of their failure; without one, they were completed.',
    pointsOf: ofTotals(endedOf),
  },
  {
    name: `${PREFIX}.job.requeued`,
    kind: 'counter',
    description: 'Attempts that ended without an end of their job.',
    pointsOf: ofTotals(({ requeued }) => [{ value: requeued }]),
  },
  {
    name: `${PREFIX}.job.queue.duration`,
    kind: 'histogram',
    unit: 'seconds',
    description: 'Time from the submission of a job to the start of its last attempt, of jobs that ended.',
    pointsOf: ofTotals(({ delay, delaySum }) => [{ histogram: delay, sum: delaySum / SECOND }]),
  },
  {
    name: `${PREFIX}.job.run.duration`,
    kind: 'histogram',
    unit: 'seconds',
    description: 'Time from the start of the last attempt of a job to its end.',
    pointsOf: ofTotals(({ run, runSum }) => [{ histogram: run, sum: runSum / SECOND }]),
  },
  {
    name: `${PREFIX}.workers`,
    kind: 'gauge',
    description: 'Workers with a lease, by state.',
    pointsOf: workersOf,
  },
  {
    name: `${PREFIX}.worker.desired`,
    kind: 'gauge',
    description: 'Workers that the service has requested.',
    pointsOf: ({ endpoint: { desiredWorkers, minWorkers } }) => [{ value: desiredWorkers ?? minWorkers }],
  },
  {
    name: `${PREFIX}.worker.missing`,
    kind: 'gauge',
    description: 'Requested workers that do not run, for a known reason or for too long.',
    pointsOf: ({ endpoint, leases, now }) => [{ value: lackingWorkers(endpoint, leases, now) }],
  },
  {
    name: `${PREFIX}.release.rolled_back`,
    kind: 'gauge',
    description: '1 while the last release is rolled back, otherwise 0.',
    pointsOf: ({ endpoint: { release } }) => [{ value: release?.refused === undefined ? 0 : 1 }],
  },
  {
    name: `${PREFIX}.worker.started`,
    kind: 'counter',
    description: 'Workers that became ready.',
    pointsOf: ofTotals(({ ready }) => [{ value: ready }]),
  },
  {
    name: `${PREFIX}.worker.start.time`,
    kind: 'counter',
    unit: 'seconds',
    description: 'Time that the starts of workers that became ready have taken, by stage.',
    pointsOf: ofTotals(({ stages }) =>
      stageNames.map((stage) => ({ labels: { stage: stage.toLowerCase() }, value: (stages[stage] ?? 0) / SECOND })),
    ),
  },
  {
    name: `${PREFIX}.worker.time`,
    kind: 'counter',
    unit: 'seconds',
    description: 'Time of workers.',
    pointsOf: ofTotals(({ time }) => byKind(time, SECOND)),
  },
  {
    name: `${PREFIX}.worker.cost`,
    kind: 'counter',
    unit: 'dollars',
    description: 'Cost of the time of workers in US dollars, without those that have no price.',
    pointsOf: ofTotals(({ dollars }) => byKind(dollars, 1)),
  },
  {
    name: `${PREFIX}.summed_to.time`,
    kind: 'gauge',
    unit: 'seconds',
    description: 'Unix time up to which the counters count.',
    pointsOf: ({ summed }) => (summed?.counted ? [{ value: summed.counted.to / SECOND }] : []),
  },
];

/** Upper limits of the buckets of a distribution, in seconds, each with its last bucket in the stored histogram. */
export const bucketLimits = Array.from({ length: 19 }, (_, n) => {
  const bucket = 24 + 4 * n;
  return { bucket, limit: Number((limitOf(bucket) / SECOND).toPrecision(6)) };
});
