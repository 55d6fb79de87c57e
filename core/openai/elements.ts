/** Finds the elements of outputs that are lists, one by one, because a list of 20 MB can have ten million. */
import { afterSpace, scanSlices } from '../json/scan.ts';
import type { Slices } from '../json/slices.ts';

const ARRAY = '['.charCodeAt(0);

/**
 * Yields the elements of an output that is a list, as views of the output, and undefined for each pause. Any other output
 * is the only element.
 * @throws InvalidRequest at the first byte that is not JSON
 */
export function* elementsIn(output: Buffer): Generator<Buffer | undefined, void> {
  const start = yield* afterSpace(output, 0);
  if (output[start] !== ARRAY) {
    yield output;
    return;
  }
  /** Begin and end of each element of a slice. The array is used again for each slice, which allocates less memory. */
  const found: number[] = [];
  let count = 0;
  const slices = scanSlices(output, (_, __, from, to) => {
    found[count] = from;
    found[count + 1] = to;
    count += 2;
  });
  for (let isOver = false; !isOver; ) {
    isOver = slices.next().done === true;
    for (let n = 0; n < count; n += 2) yield output.subarray(found[n], found[n + 1]);
    count = 0;
    if (!isOver) yield undefined;
  }
}

/** Returns the first element of an output, `null` for an empty list. */
export function* firstElement(output: Buffer): Slices<Buffer> {
  for (const element of elementsIn(output)) {
    if (element) return element;
    yield;
  }
  return Buffer.from('null');
}
