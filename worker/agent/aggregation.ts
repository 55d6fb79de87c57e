/**
 * Learns whether the user's container aggregates: whether it returns the chunks of a job as its output, as RunPod's SDK
 * does with `return_aggregate_stream`. The SDK does not report this setting.
 */
import { scanSlices } from '../../core/json/scan.ts';
import { inSlices, type Slices } from '../../core/json/slices.ts';

export interface Aggregation {
  /** True if the last completed stream was also the output of its job; undefined if not, and before. */
  isKnown(): true | undefined;
  /**
   * Compares the stream of a completed job with its output.
   * @param chunks number of chunks that the container has streamed
   * @param output JSON text without space around it, if the job has an output
   */
  completed(chunks: number, output: string | undefined): Promise<void>;
}

/** Counts the elements of an array, one by one, because an output of 20 MB can have ten million. */
function* countElements(array: string): Slices<number> {
  let count = 0;
  yield* scanSlices(Buffer.from(array), () => {
    count += 1;
  });
  return count;
}

export function createAggregation(): Aggregation {
  let isKnown: true | undefined;
  return {
    isKnown: () => isKnown,

    async completed(chunks, output) {
      // A job without chunks shows nothing: both kinds of containers return an empty array.
      if (chunks === 0) return;
      const count = output?.startsWith('[') ? await inSlices(output.length, () => countElements(output)) : 0;
      isKnown = count === chunks || undefined;
    },
  };
}
