/**
 * Encodes metrics of endpoints as OTLP in protobuf. Counters and histograms are cumulative since an unknown time, because
 * the service keeps their totals: a request that is lost or repeated changes nothing.
 */
import { type HrTime, ValueType } from '@opentelemetry/api';
import { ProtobufMetricsSerializer } from '@opentelemetry/otlp-transformer';
import type { Resource } from '@opentelemetry/resources';
import { AggregationTemporality, DataPointType, type MetricData } from '@opentelemetry/sdk-metrics';
import type { EncodedMetrics } from '../../core/telemetry/receiver.ts';
import {
  bucketLimits,
  type EndpointFacts,
  type MetricDefinition,
  type MetricPoint,
  metricDefinitions,
} from '../../core/usage/metrics.ts';
import { hrTime, scope } from './encode-spans.ts';

const units = { seconds: 's', dollars: '{USD}' } as const;

/** The start of a cumulative series is unknown. */
const UNKNOWN: HrTime = [0, 0];

interface Pointed {
  readonly point: MetricPoint;
  readonly startTime: HrTime;
  readonly endTime: HrTime;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Returns the labels with the names of OpenTelemetry, in which Prometheus allows no dots. */
const attributesOf = (endpoint: string, labels: MetricPoint['labels'] = {}) =>
  Object.fromEntries([
    ['endpoint', endpoint],
    ...Object.entries(labels).map(([name, value]) => [name === 'error_type' ? 'error.type' : name, value]),
  ]);

function pointsOf({ pointsOf: of, kind }: MetricDefinition, all: readonly EndpointFacts[]): Pointed[] {
  return all.flatMap((facts) => {
    const endTime = hrTime(facts.now);
    const startTime = kind === 'counter' || kind === 'histogram' ? UNKNOWN : endTime;
    return of(facts).map((point) => ({
      point,
      startTime,
      endTime,
      attributes: attributesOf(facts.endpoint.id, point.labels),
    }));
  });
}

/** Returns the distribution in buckets that are the same for all endpoints and minutes. */
function histogramOf({ histogram, sum }: Extract<MetricPoint, { histogram: unknown }>) {
  const counts = Array.from({ length: bucketLimits.length + 1 }, () => 0);
  for (const [name, count] of Object.entries(histogram)) {
    const at = bucketLimits.findIndex(({ bucket }) => Number(name) <= bucket);
    const index = at < 0 ? bucketLimits.length : at;
    counts[index] = (counts[index] ?? 0) + count;
  }
  const count = counts.reduce((total, one) => total + one, 0);
  return { buckets: { boundaries: bucketLimits.map(({ limit }) => limit), counts }, sum, count };
}

function dataOf(definition: MetricDefinition, pointed: readonly Pointed[]): MetricData {
  const { name, kind, unit, description } = definition;
  const shared = {
    descriptor: { name, description, unit: unit ? units[unit] : '1', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  if (kind === 'histogram') {
    const dataPoints = pointed.flatMap(({ point, ...rest }) =>
      'histogram' in point ? [{ ...rest, value: histogramOf(point) }] : [],
    );
    return { ...shared, dataPointType: DataPointType.HISTOGRAM, dataPoints };
  }
  const dataPoints = pointed.flatMap(({ point, ...rest }) =>
    'value' in point ? [{ ...rest, value: point.value }] : [],
  );
  return kind === 'counter'
    ? { ...shared, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...shared, dataPointType: DataPointType.GAUGE, dataPoints };
}

export function encodeMetrics(all: readonly EndpointFacts[], resource: Resource): EncodedMetrics {
  const metrics = metricDefinitions
    .map((definition) => dataOf(definition, pointsOf(definition, all)))
    .filter(({ dataPoints }) => dataPoints.length > 0);
  const body = ProtobufMetricsSerializer.serializeRequest({ resource, scopeMetrics: [{ scope, metrics }] });
  const points = metrics.reduce((sum, { dataPoints }) => sum + dataPoints.length, 0);
  return { body: body ?? new Uint8Array(), points };
}
