/** The metrics of a chunk: the contract's fields, as the worker has written them. */
import { jsonText, parseJsonObject } from '../json.ts';

/** What a worker may tell, beside `stream_index`, which is ours. */
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

/** Longer ones are left out: metrics are small beside what they tell of. */
export const LONGEST_SCENARIO = 200;

const isOfType: Readonly<Record<'integer' | 'number' | 'string', (value: unknown) => boolean>> = {
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string' && value.length <= LONGEST_SCENARIO,
};

/**
 * What a worker said of a chunk, and what we know ourselves where it said nothing.
 * @param text what the worker sent; anything but an object says nothing
 * @returns JSON text; what is absent, or not of the contract, is not in it
 */
export function metricsOf(text: string | undefined, known: { readonly running: number }): string {
  const { value, members } = parseJsonObject(text?.startsWith('{') ? text : '{}');
  const sent = Object.entries(metricFields).filter(([name, type]) => isOfType[type](value[name]));
  return jsonText({
    running: String(known.running),
    ...Object.fromEntries(sent.map(([name]) => [name, members.get(name)])),
  });
}
