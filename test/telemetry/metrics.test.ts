/** Tests the metrics that a receiver of OpenTelemetry gets from the sweeper, as its parser reads them. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { record } from '../../core/ledger/record.ts';
import { HOUR, MINUTE } from '../../core/limits.ts';
import { sumAll } from '../../core/usage/sweep.ts';
import { finish } from '../../core/workers/report.ts';
import type { Telemetry } from '../../lambda/sweeper/telemetry.ts';
import { startJob, submitJob, takeJob } from '../jobs/scripted-job.ts';
import { noReleases } from '../releases/no-releases.ts';
import { recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import {
  attributesOf,
  decode,
  type OtlpReceiver,
  startOtlpReceiver,
  telemetryTo,
  withPython,
} from './otlp-receiver.ts';

const emulated = useEmulatedDeployment();
const ports = portsWith(emulated.ports, { ...noReleases(), services: recordServices() });
const { clock } = emulated;

interface Point {
  readonly attributes: Record<string, string | number | boolean>;
  readonly asDouble?: number;
  readonly count?: string;
  readonly sum?: number;
  readonly bucketCounts?: readonly string[];
  readonly explicitBounds?: readonly number[];
  readonly startTimeUnixNano?: string;
  readonly timeUnixNano: string;
}
interface Metric {
  readonly name: string;
  readonly unit: string;
  readonly kind: string;
  readonly data: { readonly aggregationTemporality?: string; readonly isMonotonic?: boolean };
  readonly points: readonly Point[];
}
interface Message {
  readonly resourceMetrics: readonly {
    readonly resource: { readonly attributes: Parameters<typeof attributesOf>[0] };
    readonly scopeMetrics: readonly { readonly metrics: readonly Record<string, unknown>[] }[];
  }[];
}

let receiver: OtlpReceiver;
let telemetry: Telemetry | undefined;

beforeAll(async () => {
  receiver = await startOtlpReceiver();
  telemetry = telemetryTo(receiver.url, ports);
  clock.advance(HOUR - (clock.now() % HOUR));
});
afterAll(() => receiver.stop());

async function follow(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    clock.advance(MINUTE);
    await record(ports, await emulated.changes());
    const endpoints = await ports.endpoints.list();
    await sumAll(ports, endpoints, telemetry?.addNews);
    await telemetry?.send(endpoints);
  }
}

/** Returns the metrics of each request, in the order of the requests. */
async function sentMetrics(): Promise<{ resource: object; metrics: Metric[] }[]> {
  const messages = (await decode('metrics', receiver.requests)) as unknown as Message[];
  return messages.flatMap(({ resourceMetrics }) =>
    resourceMetrics.map(({ resource, scopeMetrics }) => ({
      resource: attributesOf(resource.attributes),
      metrics: scopeMetrics.flatMap(({ metrics }) =>
        metrics.map(({ name, unit, ...rest }) => {
          const [kind = ''] = ['sum', 'gauge', 'histogram'].filter((one) => one in rest);
          const { dataPoints, ...data } = rest[kind] as { dataPoints: { attributes: never }[] };
          const points = dataPoints.map((point) => ({ ...point, attributes: attributesOf(point.attributes) }));
          return { name, unit, kind, data, points } as unknown as Metric;
        }),
      ),
    })),
  );
}

/** Returns the points of an endpoint by the rest of their attributes. */
function pointsOf(
  metrics: readonly Metric[],
  name: string,
  endpoint: string,
): Readonly<Partial<Record<string, Point>>> {
  const found = metrics.find((metric) => metric.name === `gpu_endpoints.${name}`);
  const its = (found?.points ?? []).filter(({ attributes }) => attributes.endpoint === endpoint);
  return Object.fromEntries(
    its.map((point) => {
      const { endpoint: _, ...rest } = point.attributes;
      return [Object.entries(rest).flat().join(' '), point];
    }),
  );
}

const valuesOf = (points: ReturnType<typeof pointsOf>) =>
  Object.fromEntries(Object.entries(points).map(([name, point]) => [name, point?.asDouble]));

(withPython ? describe : describe.skip)('the metrics', () => {
  it('have the ends, waits and run times of jobs as totals that never fall, and the queue of now', async () => {
    await emulated.deploy('tm-a', { workerPrice: { hour: 3.6, date: '2026-08-21', region: 'us-east-1' } });
    await emulated.deploy('tm-b');
    const runs = [700, 4_000, 90_000];
    for (const [n, duration] of runs.entries()) {
      const id = await submitJob(ports, 'tm-a', { lowPriority: n === 0 });
      clock.advance(2_000);
      const job = await takeJob(ports, 'tm-a', id);
      clock.advance(duration);
      await finish(ports, job, n === 1 ? { error: 'no' } : { output: '1' });
    }
    await follow(6);
    await finish(ports, await startJob(ports, 'tm-a'), { output: '1' });
    await submitJob(ports, 'tm-a', { lowPriority: true });
    await follow(6);

    const sent = await sentMetrics();
    const last = sent.at(-1);
    expect(last?.resource).toEqual({
      'service.name': 'gpu-endpoints',
      'deployment.environment.name': 'gpu-endpoints',
      'cloud.provider': 'aws',
      'cloud.region': 'us-east-1',
    });
    const metrics = last?.metrics ?? [];
    const kinds = Object.fromEntries(metrics.map(({ name, kind, unit, data }) => [name, [kind, unit, data]]));
    const total = { aggregationTemporality: 'AGGREGATION_TEMPORALITY_CUMULATIVE', isMonotonic: true };
    const { isMonotonic: _, ...cumulative } = total;
    expect(kinds).toMatchObject({
      'gpu_endpoints.job.ended': ['sum', '1', total],
      'gpu_endpoints.job.queue.duration': ['histogram', 's', cumulative],
      'gpu_endpoints.job.run.duration': ['histogram', 's', cumulative],
      'gpu_endpoints.job.queue.depth': ['gauge', '1', {}],
      'gpu_endpoints.job.queue.oldest_age': ['gauge', 's', {}],
      'gpu_endpoints.worker.cost': ['sum', '{USD}', total],
    });
    expect(valuesOf(pointsOf(metrics, 'job.ended', 'tm-a'))).toEqual({ '': 3, 'error.type WORKER_ERROR': 1 });
    expect(valuesOf(pointsOf(metrics, 'job.queue.depth', 'tm-a'))).toEqual({ 'priority normal': 0, 'priority low': 1 });
    const { '': run } = pointsOf(metrics, 'job.run.duration', 'tm-a');
    expect([run?.count, run?.sum]).toEqual(['4', 94.7]);
    // Each run time is in the bucket whose bounds contain it.
    const bounds = [...(run?.explicitBounds ?? []), Number.POSITIVE_INFINITY];
    const expected = bounds.map((bound, n) => {
      const below = n === 0 ? -1 : (bounds[n - 1] ?? 0);
      return [0, ...runs].filter((duration) => duration / 1_000 > below && duration / 1_000 <= bound).length;
    });
    expect(run?.bucketCounts?.map(Number)).toEqual(expected);
    expect(Number(pointsOf(metrics, 'job.ended', 'tm-a')['']?.startTimeUnixNano ?? 0)).toBe(0);

    const ended = sent.map((one) => pointsOf(one.metrics, 'job.ended', 'tm-a')['']?.asDouble ?? 0);
    expect(ended).toEqual(ended.toSorted((one, other) => one - other));
    // An endpoint on which nothing happens has its gauges in each request.
    expect(sent.filter((one) => 'priority normal' in pointsOf(one.metrics, 'job.queue.depth', 'tm-b'))).toHaveLength(
      sent.length,
    );
    expect(sent).toHaveLength(12);
  });
});
