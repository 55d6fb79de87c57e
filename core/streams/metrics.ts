/** Validates the metrics of a chunk: the contract's fields, as the worker wrote them. */
import { jsonText, parseJsonObject } from '../json/json.ts';
import { payloadLimits } from '../limits.ts';

/** Fields that a worker may send. The service sets `stream_index`. */
export const metricFields = {
  avg_gen_throughput: 'number',
  avg_prompt_throughput: 'number',
  cpu_kv_cache_usage: 'number',
  gpu_kv_cache_usage: 'number',
  input_tokens: 'integer',
  output_tokens: 'integer',
  pending: 'integer',
  running: 'integer',
  scenario: 'string',
  swapped: 'integer',
} as const;

/**
 * Maximum number of characters of a scenario, and of a number as the worker writes it. The agent drops longer
 * values.
 */
export const MAX_SCENARIO_LENGTH = 200;
const MAX_NUMBER_LENGTH = 100;

/**
 * Maximum number of dropped metrics in a log line, and maximum length of their names, because a worker can send any
 * number of metrics with long names.
 */
const NAMED = 20;
const MAX_NAME_LENGTH = 40;

type MetricType = (typeof metricFields)[keyof typeof metricFields];

const isOfType: Readonly<Record<MetricType, (value: unknown) => boolean>> = {
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string',
};

const typeNames: Readonly<Record<MetricType, string>> = {
  integer: 'an integer',
  number: 'a number',
  string: 'a string',
};

export interface DroppedMetrics {
  /** Reasons by name, at most 20. Values are omitted, because they can be secret. */
  readonly droppedMetrics: Readonly<Record<string, string>>;
  /** Number of further dropped metrics. */
  readonly unnamed: number;
}

export interface KeptMetrics {
  /** JSON text of an object with `running` and those of the contract's fields that the worker sent. */
  readonly text: string;
  /** Absent if all metrics were kept. */
  readonly dropped?: DroppedMetrics;
}

/** Returns why the metric is dropped, or undefined if it is valid. */
function faultOf(name: string, value: unknown, text: string): string | undefined {
  const type = Object.entries(metricFields).find(([field]) => field === name)?.[1];
  if (!type) return 'unknown name';
  if (!isOfType[type](value)) return `not ${typeNames[type]}`;
  const [length, maxLength] =
    type === 'string' ? [String(value).length, MAX_SCENARIO_LENGTH] : [text.length, MAX_NUMBER_LENGTH];
  return length > maxLength ? `longer than ${maxLength} characters` : undefined;
}

/**
 * Returns the contract's fields of the metrics that a worker sent. The service sets `stream_index`, so the
 * worker's value is ignored and does not count as dropped.
 * @param text JSON text that the worker sent; `null` means none
 * @param known values of the agent, which replace missing values
 */
export function metricsOf(text: string | undefined, known: { readonly running: number }): KeptMetrics {
  const running = String(known.running);
  if (!text?.startsWith('{')) {
    const isAbsent = text === undefined || text === 'null';
    const dropped = { droppedMetrics: { metrics: 'not an object' }, unnamed: 0 };
    return { text: jsonText({ running }), ...(!isAbsent && { dropped }) };
  }
  if (text.length > payloadLimits.field) {
    const reason = `longer than ${payloadLimits.field} characters`;
    return { text: jsonText({ running }), dropped: { droppedMetrics: { metrics: reason }, unnamed: 0 } };
  }
  const metrics = parseJsonObject(text);
  const sent = metrics.names.filter((name) => name !== 'stream_index');
  const judged = sent.map((name) => {
    const member = metrics.text(name) ?? '';
    return { name, member, fault: faultOf(name, metrics.value(name), member) };
  });
  const kept = judged.filter(({ fault }) => fault === undefined).map(({ name, member }) => [name, member]);
  const dropped = judged.flatMap(({ name, fault }) => (fault ? [[name.slice(0, MAX_NAME_LENGTH), fault]] : []));
  return {
    text: jsonText({ running, ...Object.fromEntries(kept) }),
    ...(dropped.length > 0 && {
      dropped: {
        droppedMetrics: Object.fromEntries(dropped.slice(0, NAMED)),
        unnamed: Math.max(0, dropped.length - NAMED),
      },
    }),
  };
}
