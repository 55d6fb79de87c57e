/**
 * Several chunks in one stored item, so that a write of a few tokens is one unit, and all of it becomes visible at once.
 *
 * The output of such an item is the text of its elements of `/stream`, without the beginning of the first and the end of the
 * last: an earlier version, which knows items of one chunk, makes the one element of it that is in truth all of them.
 */
import { type Chunk, elementText } from './chunk.ts';

/** As an item is stored: one chunk, or several. */
export type Pack = Chunk & {
  /** Of several: for each chunk the characters of its element, and those of its output. */
  readonly sizes?: readonly number[];
};

/** A chunk as readers get it. */
export interface ReadChunk {
  readonly number: number;
  /** JSON text. */
  readonly output: string;
  /** Which part of an output this is that was cut as text, from 1, and of how many. */
  readonly part?: number | undefined;
  readonly parts?: number | undefined;
  /** The JSON text of its element of `/stream`. */
  readonly text: string;
}

const OPENING = '{"output":';
/** What an element ends with that is a part. */
const PART = /,"part":(\d+),"parts":(\d+)\}$/;

/**
 * @param first the number of the first chunk; the item gets the number of the last
 * @param chunks at least one
 */
export function pack(first: number, chunks: readonly [Chunk, ...Chunk[]]): Pack {
  const last = chunks[chunks.length - 1] ?? chunks[0];
  if (chunks.length === 1) return last;
  const elements = chunks.map((chunk, n) => elementText(first + n, chunk));
  const before = elements.slice(0, -1).join(',').slice(OPENING.length);
  const sizes = chunks.flatMap(({ output }, n) => [elements[n]?.length ?? 0, output.length]);
  return { ...last, output: `${before},${OPENING}${last.output}`, sizes };
}

/** @returns the chunks, or undefined if the item is none that `pack` makes */
export function unpack(number: number, { sizes = [], ...item }: Pack): ReadChunk[] | undefined {
  const whole = elementText(number, item);
  const first = number + 1 - sizes.length / 2;
  const chunks: ReadChunk[] = [];
  let start = 0;
  for (let n = 0; n < sizes.length; n += 2) {
    const [size = 0, outputSize = 0] = sizes.slice(n, n + 2);
    const text = whole.slice(start, start + size);
    const outputEnd = OPENING.length + outputSize;
    const [, part, parts] = PART.exec(text.slice(outputEnd))?.map(Number) ?? [];
    chunks.push({ number: first + n / 2, output: text.slice(OPENING.length, outputEnd), part, parts, text });
    start += size + ','.length;
  }
  return start === whole.length + ','.length && Number.isInteger(first) ? chunks : undefined;
}
