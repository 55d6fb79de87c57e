/** The supported properties of alarms. CloudFormation and the API of CloudWatch have the same names for them. */
import * as z from 'zod/mini';
import { ignored } from '../cloudformation/resource.ts';
import { dimensionsSchema, periodSchema, type Query, querySchema, statisticSchema } from './queries.ts';

/** Each comparison, and how the reason of a state says it. */
export const comparisons = {
  GreaterThanThreshold: { text: 'greater than', breaches: (value: number, threshold: number) => value > threshold },
  GreaterThanOrEqualToThreshold: {
    text: 'greater than or equal to',
    breaches: (value: number, threshold: number) => value >= threshold,
  },
  LessThanThreshold: { text: 'less than', breaches: (value: number, threshold: number) => value < threshold },
  LessThanOrEqualToThreshold: {
    text: 'less than or equal to',
    breaches: (value: number, threshold: number) => value <= threshold,
  },
} as const;

const whole = z.coerce.number().check(z.int(), z.minimum(1));
const actions = z._default(z.array(z.string()), []);

export const alarmSchema = z.strictObject({
  AlarmName: z.optional(z.string()),
  AlarmDescription: z.optional(z.string()),
  MetricName: z.optional(z.string()),
  Namespace: z.optional(z.string()),
  Dimensions: z.optional(dimensionsSchema),
  Statistic: z.optional(statisticSchema),
  ExtendedStatistic: z.optional(statisticSchema),
  Period: z.optional(periodSchema),
  Metrics: z.optional(z.array(querySchema)),
  EvaluationPeriods: whole,
  DatapointsToAlarm: z.optional(whole),
  Threshold: z.coerce.number(),
  ComparisonOperator: z.enum(Object.keys(comparisons) as (keyof typeof comparisons)[]),
  TreatMissingData: z._default(z.enum(['missing', 'ignore', 'breaching', 'notBreaching']), 'missing'),
  // No action is performed here, as on an account whose topics have no subscriptions.
  ActionsEnabled: z._default(z.coerce.boolean(), true),
  AlarmActions: actions,
  OKActions: actions,
  InsufficientDataActions: actions,
  Tags: ignored,
});
export type AlarmProperties = z.output<typeof alarmSchema>;

/** Returns the queries of an alarm. An alarm of one metric has one query. */
export function queriesOf(properties: AlarmProperties): readonly Query[] {
  const { Metrics, MetricName, Namespace = '', Dimensions = [], Period, Statistic } = properties;
  const Stat = Statistic ?? properties.ExtendedStatistic;
  if (Metrics) return Metrics;
  if (MetricName === undefined || Period === undefined || Stat === undefined) return [];
  return [{ Id: 'm1', MetricStat: { Metric: { Namespace, MetricName, Dimensions }, Period, Stat }, ReturnData: true }];
}
