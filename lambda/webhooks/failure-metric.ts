import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { FAILURE_METRIC } from '../../core/webhooks/delivery.ts';

/** Written into the log, from which CloudWatch takes it. Its namespace is in the environment. */
const metrics = new Metrics();

/** Counts a delivery that is over, for its endpoint and for all. */
export function countDelivery(endpoint: string, hasFailed: boolean): void {
  const sample = () => metrics.addMetric(FAILURE_METRIC, MetricUnit.Count, hasFailed ? 1 : 0);
  sample();
  metrics.publishStoredMetrics();
  sample();
  metrics.addDimension('endpoint', endpoint).publishStoredMetrics();
}
