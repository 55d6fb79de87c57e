/** Publishes the metrics of endpoints. */
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import {
  endpointMetrics,
  METRIC_DIMENSION,
  type Measured,
  type MetricChoice,
  type MetricName,
  metricValuesOf,
} from '../../core/sweeper/measure.ts';

/** Writes metrics into the log, from which CloudWatch reads them. The namespace is in the environment. */
const metrics = new Metrics();

/** Writes a line with the metrics of the choice for each endpoint in which something happens. */
export function publishMeasured(measured: Readonly<Record<string, Measured>>, choice: MetricChoice): void {
  for (const [endpoint, numbers] of Object.entries(measured)) {
    const values = metricValuesOf(numbers, choice);
    if (Object.keys(values).length === 0) continue;
    metrics.addDimension(METRIC_DIMENSION, endpoint);
    for (const number of Object.keys(endpointMetrics) as MetricName[]) {
      const { name, unit } = endpointMetrics[number];
      const value = values[number];
      if (value !== undefined) metrics.addMetric(name, MetricUnit[unit], value);
    }
    metrics.publishStoredMetrics();
  }
}
