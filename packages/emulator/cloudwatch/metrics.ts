/** Metrics of CloudWatch on this machine: the data points of the last day, in memory. */

export type Dimensions = Readonly<Record<string, string>>;

export interface Metric {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Dimensions;
}

type Values = Readonly<Record<string, number | readonly number[]>>;

export interface Metrics {
  /**
   * Adds values to metrics with the same namespace and dimensions.
   * @param at milliseconds since 1970; by default, now
   */
  put(namespace: string, dimensions: Dimensions, values: Values, at?: number): void;
  /** Returns a statistic of the values in whole minutes from `from` to before `to`; undefined without values. */
  read(metric: Metric, statistic: string, from: number, to: number): number | undefined;
}

export const MINUTE = 60_000;

/** Milliseconds for which values are kept. */
export const RETENTION = 24 * 60 * MINUTE;
/** Milliseconds by which the time of a value can be in the future. */
const MAX_AHEAD = 120 * MINUTE;
/** Memory limits: metrics, and values of a metric in a minute that percentiles are calculated from. */
const MAX_METRICS = 5_000;
const MAX_SAMPLES = 1_000;

/** Matches the supported statistics. */
export const STATISTIC = /^(?:SampleCount|Average|Sum|Minimum|Maximum|p(?:\d{1,2}(?:\.\d{1,10})?|100))$/;

/** The values of a metric in one minute. */
interface Summary {
  count: number;
  sum: number;
  min: number;
  max: number;
  readonly samples: number[];
}

const floor = (time: number) => time - (time % MINUTE);

function percentile(summaries: readonly Summary[], percent: number): number | undefined {
  const sorted = summaries.flatMap(({ samples }) => samples).sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
}

function statisticOf(summaries: readonly Summary[], statistic: string): number | undefined {
  if (summaries.length === 0) return undefined;
  const total = (member: 'count' | 'sum') => summaries.reduce((sum, summary) => sum + summary[member], 0);
  if (statistic === 'SampleCount') return total('count');
  if (statistic === 'Sum') return total('sum');
  if (statistic === 'Average') return total('sum') / total('count');
  if (statistic === 'Minimum') return Math.min(...summaries.map(({ min }) => min));
  if (statistic === 'Maximum') return Math.max(...summaries.map(({ max }) => max));
  return percentile(summaries, Number(statistic.slice(1)));
}

/** @param now milliseconds since 1970 */
export function createMetrics(now: () => number = Date.now): Metrics {
  /** Minutes with values by metric, in the order in which they were added. */
  const series = new Map<string, Map<number, Summary>>();

  function keyOf({ namespace, name, dimensions }: Metric): string {
    const pairs = Object.keys(dimensions).sort((one, other) => (one < other ? -1 : 1));
    return [namespace, name, ...pairs.flatMap((pair) => [pair, dimensions[pair]])].join('\n');
  }

  function forget(minutes: Map<number, Summary>): void {
    const oldest = now() - RETENTION;
    for (const minute of minutes.keys()) {
      if (minute >= oldest) return;
      minutes.delete(minute);
    }
  }

  /** Returns the minutes of a metric. A metric beyond the limit replaces the one without values for the longest time. */
  function minutesOf(key: string): Map<number, Summary> {
    const minutes = series.get(key) ?? new Map<number, Summary>();
    series.delete(key);
    series.set(key, minutes);
    const [least] = series.keys();
    if (series.size > MAX_METRICS && least !== undefined) series.delete(least);
    return minutes;
  }

  function add(metric: Metric, values: readonly number[], minute: number): void {
    const minutes = minutesOf(keyOf(metric));
    let summary = minutes.get(minute);
    if (!summary) {
      forget(minutes);
      summary = { count: 0, sum: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY, samples: [] };
      minutes.set(minute, summary);
    }
    for (const value of values) {
      summary.count += 1;
      summary.sum += value;
      summary.min = Math.min(summary.min, value);
      summary.max = Math.max(summary.max, value);
      if (summary.samples.length < MAX_SAMPLES) summary.samples.push(value);
    }
  }

  return {
    put(namespace, dimensions, values, at = now()) {
      if (at < now() - RETENTION || at > now() + MAX_AHEAD) return;
      for (const [name, given] of Object.entries(values)) {
        const finite = [given].flat().filter(Number.isFinite);
        if (finite.length > 0) add({ namespace, name, dimensions }, finite, floor(at));
      }
    },

    read(metric, statistic, from, to) {
      const minutes = series.get(keyOf(metric));
      if (!minutes) return undefined;
      const summaries: Summary[] = [];
      for (let minute = floor(from); minute < to; minute += MINUTE) {
        const summary = minutes.get(minute);
        if (summary) summaries.push(summary);
      }
      return statisticOf(summaries, statistic);
    },
  };
}
