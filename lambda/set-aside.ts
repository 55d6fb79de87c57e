/** Logs and counts the items and changes that a function has set aside. */
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { SET_ASIDE_METRIC, type Unreadable } from '../core/stored-items/unreadable.ts';

const logger = new Logger();
/** Writes metrics into the log, from which CloudWatch reads them. The namespace is in the environment. */
const metrics = new Metrics();

/** An item or a change that was set aside. */
export type SetAside = Pick<Unreadable, 'endpoint' | 'partition' | 'reason' | 'table'>;

/** Logs one line for each partition and reason, and counts each item, for its endpoint and for all endpoints. */
export function reportSetAside(all: readonly SetAside[]): void {
  const alike = Map.groupBy(all, ({ table, partition, reason }) => JSON.stringify([table, partition, reason]));
  for (const [{ table, partition, reason } = {}, ...others] of alike.values())
    logger.warn('Set aside.', { table, partition, reason, count: 1 + others.length });

  const sample = (count: number) => metrics.addMetric(SET_ASIDE_METRIC, MetricUnit.Count, count);
  for (const [endpoint, { length }] of Map.groupBy(all, (item) => item.endpoint)) {
    sample(length);
    metrics.publishStoredMetrics();
    sample(length);
    metrics.addDimension('endpoint', endpoint).publishStoredMetrics();
  }
}
