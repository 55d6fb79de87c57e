/** Calculates the cost of the alarms and metrics of endpoints. */
import { endpointOfStack } from '../../core/deployment.ts';
import { endpointMetrics, isPublished, type MetricName, metricChoices } from '../../core/sweeper/measure.ts';
import type { Prices } from '../../lib/prices/prices.ts';
import { type App, variablesOf } from '../assembly/app.ts';
import type { Charge } from './charge.ts';

/** US dollars a month of the alarms and metrics of an endpoint. */
export interface ObservationLine {
  readonly endpoint: string;
  readonly alarms: number;
  /** The metrics of the sweeper, if the endpoint always has jobs. */
  readonly metrics: number;
}

/** Returns the metrics that the sweeper of the stacks publishes in a month without a rolled-back release. */
function publishedBy({ resources }: App): MetricName[] {
  const values = resources.map((resource) => variablesOf(resource).ENDPOINT_METRICS);
  const choice = metricChoices.find((one) => values.includes(one)) ?? 'none';
  const names = Object.keys(endpointMetrics) as MetricName[];
  return names.filter((name) => name !== 'rolledBack' && isPublished(name, choice));
}

/** @param standing the charges with the names of their stacks */
export function observationOf(
  app: App,
  standing: readonly (Charge & { readonly stack: string })[],
  { perMonth }: Prices,
): ObservationLine[] {
  const published = publishedBy(app);
  return app.resources.flatMap(({ stack, type, properties }) => {
    const endpoint = endpointOfStack(stack);
    if (type !== 'Custom::Endpoint' || endpoint === undefined) return [];
    const hasBudget = properties.maxDollarsPerDay !== undefined;
    const { length } = published.filter((name) => name !== 'budgetUsed' || hasBudget);
    const alarms = standing.filter((line) => line.stack === stack && line.what === 'alarm');
    return [
      {
        endpoint,
        alarms: alarms.reduce((sum, { monthly }) => sum + monthly, 0),
        metrics: length * perMonth.metric.price,
      },
    ];
  });
}
