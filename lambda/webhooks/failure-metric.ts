import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { FAILURE_METRIC } from '../../core/webhooks/delivery.ts';

/** Writes metrics into the log, from which CloudWatch reads them. The namespace is in the environment. */
const metrics = new Metrics();

/** Counts a delivery that has finished, once for its endpoint and once for all endpoints. */
export function countDelivery(endpoint: string, hasFailed: boolean): void {
  const sample = () => metrics.addMetric(FAILURE_METRIC, MetricUnit.Count, hasFailed ? 1 : 0);
  sample();
  metrics.publishStoredMetrics();
  sample();
  metrics.addDimension('endpoint', endpoint).publishStoredMetrics();
}
