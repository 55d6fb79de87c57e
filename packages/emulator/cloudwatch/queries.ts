/** Queries of metrics and of expressions over them, as alarms and `GetMetricData` contain them. */
import * as z from 'zod/mini';
import { type Formula, MathError, parseFormula } from './math.ts';
import { type Metric, type Metrics, MINUTE, RETENTION, STATISTIC } from './metrics.ts';

const text = z.string().check(z.minLength(1));

/** A period in seconds: whole minutes, because values are kept by the minute. */
export const periodSchema = z.coerce
  .number()
  .check(z.multipleOf(MINUTE / 1000), z.minimum(MINUTE / 1000), z.maximum(RETENTION / 1000));

export const statisticSchema = z.string().check(z.regex(STATISTIC));

export const dimensionsSchema = z._default(z.array(z.strictObject({ Name: text, Value: text })), []);

export const querySchema = z.strictObject({
  Id: z.string().check(z.regex(/^[a-z]\w*$/)),
  Expression: z.optional(text),
  MetricStat: z.optional(
    z.strictObject({
      Metric: z.strictObject({ Namespace: text, MetricName: text, Dimensions: dimensionsSchema }),
      Period: periodSchema,
      Stat: statisticSchema,
    }),
  ),
  Period: z.optional(periodSchema),
  Label: z.optional(z.string()),
  ReturnData: z._default(z.coerce.boolean(), true),
});
export type Query = z.output<typeof querySchema>;

export interface CompiledQueries {
  /** Length of a period, in milliseconds. */
  readonly period: number;
  /** Returns the value of a query for the period that begins at the time; undefined without data. */
  read(id: string, from: number): number | undefined;
}

export const metricOf = ({
  Namespace,
  MetricName,
  Dimensions,
}: NonNullable<Query['MetricStat']>['Metric']): Metric => ({
  namespace: Namespace,
  name: MetricName,
  dimensions: Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value])),
});

type Source = Formula | NonNullable<Query['MetricStat']>;

function sourceOf({ Id, Expression, MetricStat }: Query): Source {
  if ((Expression === undefined) === (MetricStat === undefined))
    throw new MathError(`the query ${Id} must have either Expression or MetricStat`);
  return MetricStat ?? parseFormula(Expression ?? '');
}

/** Returns the only period of the queries, in milliseconds. */
function periodOf(queries: readonly Query[]): number {
  const periods = new Set(queries.flatMap(({ MetricStat, Period }) => MetricStat?.Period ?? Period ?? []));
  const [period] = periods;
  if (period === undefined || periods.size > 1)
    throw new MathError(`its queries must have one period, and they have ${periods.size}`);
  return period * 1000;
}

/**
 * Prepares the queries.
 * @throws MathError for a query that is wrong or not supported
 */
export function compileQueries(queries: readonly Query[], metrics: Pick<Metrics, 'read'>): CompiledQueries {
  const period = periodOf(queries);
  const sources = new Map(queries.map((query) => [query.Id, sourceOf(query)]));

  function read(id: string, from: number, within: readonly string[] = []): number | undefined {
    const source = sources.get(id);
    if (!source) throw new MathError(`there is no query ${id}`);
    if (within.includes(id)) throw new MathError(`the expression ${id} uses itself`);
    if (typeof source !== 'function') return metrics.read(metricOf(source.Metric), source.Stat, from, from + period);
    const value = (other: string) => read(other, from, [...within, id]);
    return source({
      value,
      metrics: (part) =>
        [...sources.entries()].flatMap(([other, it]) =>
          typeof it !== 'function' && other.includes(part) ? [value(other)] : [],
        ),
    });
  }

  // An expression is also evaluated where it has no data, so this finds all errors.
  for (const id of sources.keys()) read(id, 0);
  return { period, read };
}
