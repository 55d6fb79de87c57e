/**
 * Packs several chunks into one stored item, so that a few tokens cost one write unit and become visible at the
 * same time.
 *
 * The output of such an item is the text of its elements of `/stream`, without the beginning of the first and the
 * end of the last element.
 */
import { type Chunk, elementText, MAX_PARTS } from './chunk.ts';
import { chunkWrites } from './store.ts';

/** A stored item with one or more chunks. */
export type Pack = Chunk & {
  /** If the item has several chunks: the length of each element and of its output, in characters. */
  readonly sizes?: readonly number[];
};

/** A chunk that readers get. */
export interface ReadChunk {
  readonly number: number;
  /** Output as JSON text. */
  readonly output: string;
  /** Number of this part, from 1, and number of parts, if the output was split as text. */
  readonly part?: number | undefined;
  readonly parts?: number | undefined;
  /** JSON text of the chunk's element of `/stream`. */
  readonly text: string;
}

const OPENING = '{"output":';
/** Form of the end of an element that is a part. */
const PART = /,"part":(\d+),"parts":(\d+)\}$/;

/**
 * Packs chunks into an item.
 * @param first number of the first chunk; the item gets the number of the last chunk
 * @param chunks at least one chunk
 */
export function pack(first: number, chunks: readonly [Chunk, ...Chunk[]]): Pack {
  const last = chunks[chunks.length - 1] ?? chunks[0];
  if (chunks.length === 1) return last;
  const elements = chunks.map((chunk, n) => elementText(first + n, chunk));
  const before = elements.slice(0, -1).join(',').slice(OPENING.length);
  const sizes = chunks.flatMap(({ output }, n) => [elements[n]?.length ?? 0, output.length]);
  return { ...last, output: `${before},${OPENING}${last.output}`, sizes };
}

const isCount = (value: number) => Number.isInteger(value) && value >= 0;

/**
 * Returns whether a chunk has no part numbers, or possible ones. User code can write items, so an item can have any
 * numbers.
 */
export const isPart = (part: number | undefined, parts: number | undefined): boolean =>
  part === undefined || parts === undefined
    ? part === parts
    : isCount(part) && isCount(parts) && part > 0 && part <= parts && parts <= MAX_PARTS;

/** Returns the chunks of an item with several chunks, or undefined if the item has no valid sizes. */
export function unpack(number: number, { sizes = [], ...item }: Pack): ReadChunk[] | undefined {
  // Each size is checked first, because negative sizes would read the same text again and again.
  if (sizes.length > 2 * chunkWrites.chunks || !sizes.every(isCount)) return undefined;
  const whole = elementText(number, item);
  const first = number + 1 - sizes.length / 2;
  const chunks: ReadChunk[] = [];
  let start = 0;
  for (let n = 0; n < sizes.length; n += 2) {
    const [size = 0, outputSize = 0] = sizes.slice(n, n + 2);
    const text = whole.slice(start, start + size);
    const outputEnd = OPENING.length + outputSize;
    const [, part, parts] = PART.exec(text.slice(outputEnd))?.map(Number) ?? [];
    if (!isPart(part, parts)) return undefined;
    chunks.push({ number: first + n / 2, output: text.slice(OPENING.length, outputEnd), part, parts, text });
    start += size + ','.length;
  }
  return start === whole.length + ','.length && Number.isInteger(first) ? chunks : undefined;
}
