/** Publishes the metrics of endpoints. */
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import {
  endpointMetrics,
  METRIC_DIMENSION,
  type Measured,
  type MetricValues,
  metricValuesOf,
} from '../../core/sweeper/measure.ts';

/** Writes metrics into the log, from which CloudWatch reads them. The namespace is in the environment. */
const metrics = new Metrics();
/** The last measurement of each endpoint in this process. */
let last: Readonly<Record<string, Measured>> = {};

/** Writes a line with the metrics of each endpoint in which something happens. */
export function publishMeasured(measured: Readonly<Record<string, Measured>>): void {
  for (const [endpoint, now] of Object.entries(measured)) {
    const values = metricValuesOf(last[endpoint], now);
    if (!values) continue;
    metrics.addDimension(METRIC_DIMENSION, endpoint);
    for (const number of Object.keys(endpointMetrics) as (keyof MetricValues)[]) {
      const { name, unit } = endpointMetrics[number];
      metrics.addMetric(name, MetricUnit[unit], values[number]);
    }
    metrics.publishStoredMetrics();
  }
  last = measured;
}
