/** The metrics of a chunk: the contract's fields, as the worker has written them. */
import { jsonText, parseJsonObject } from '../json.ts';

const numbers = [
  'avg_gen_throughput',
  'avg_prompt_throughput',
  'cpu_kv_cache_usage',
  'gpu_kv_cache_usage',
  'input_tokens',
  'output_tokens',
  'pending',
  'running',
  'swapped',
];

/** Longer ones are left out: metrics are small beside what they tell of. */
const LONGEST_SCENARIO = 200;

const isScenario = (value: unknown) => typeof value === 'string' && value.length <= LONGEST_SCENARIO;

/**
 * What a worker said of a chunk, and what we know ourselves where it said nothing.
 * @param text what the worker sent; anything but an object says nothing
 * @returns JSON text; what is absent, or not of the contract, is not in it
 */
export function metricsOf(text: string | undefined, known: { readonly running: number }): string {
  const { value, members } = parseJsonObject(text?.startsWith('{') ? text : '{}');
  const sent = numbers.filter((name) => typeof value[name] === 'number');
  return jsonText({
    running: String(known.running),
    ...Object.fromEntries(sent.map((name) => [name, members.get(name)])),
    scenario: isScenario(value.scenario) ? members.get('scenario') : undefined,
  });
}
