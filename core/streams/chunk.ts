/** Chunks of output that a worker sends while its job runs. A chunk that is too large is split. */
import { jsonText } from '../json/json.ts';
import { scanSlices } from '../json/scan.ts';
import { inSlices, SLICE, type Slices } from '../json/slices.ts';
import { payloadLimits } from '../limits.ts';

/** One chunk, as unchanged JSON texts. */
export interface Chunk {
  readonly output: string;
  /** An object with the contract's metrics. */
  readonly metrics?: string | undefined;
  /** Number of this part, from 1, and number of parts, if the output was split as text. */
  readonly part?: number | undefined;
  readonly parts?: number | undefined;
  /** When the agent stored the chunk, in milliseconds since the epoch; absent before that. */
  readonly at?: number | undefined;
}

/**
 * Maximum number of parts of an output. An output of `payloadLimits.output` has at most twice as many bytes as a string,
 * because JSON escapes quotes and backslashes; the rest is room for the metrics of each part.
 */
export const MAX_PARTS = 48;

/** Largest number of a chunk, so that the item's name has ten digits. */
export const LAST_CHUNK = 10 ** 10 - 1;

/**
 * Returns the JSON text of a chunk as an element of the array of `/stream`.
 * @param number of the chunk, from 0 to `LAST_CHUNK`
 */
export function elementText(number: number, { output, metrics, part, parts }: Chunk): string {
  const index = `"stream_index":${number}`;
  return jsonText({
    output,
    metrics: metrics && metrics !== '{}' ? `{${index},${metrics.slice(1)}` : `{${index}}`,
    part: part?.toString(),
    parts: parts?.toString(),
  });
}

const sizeOf = (text: string) => Buffer.byteLength(text);

/** Escapes in a JSON string, which have two characters, six such as `\u00e9`, or twelve such as `\ud83d\ude42`. */
const MAX_ESCAPE_LENGTH = 12;
const ESCAPE = /^\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[^u])/;
const BACKSLASH = 0x5c;

function startsEscape(bytes: Buffer, start: number, at: number): boolean {
  let backslashes = 0;
  while (at - backslashes >= start && bytes[at - backslashes] === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}

/**
 * Returns the last position from `start` to `end` between two code points, at which a JSON string can be split.
 */
function cutBefore(bytes: Buffer, start: number, end: number): number {
  if (end >= bytes.length) return bytes.length;
  let cut = end;
  while ((bytes[cut] ?? 0) >> 6 === 0b10) cut -= 1;
  for (let at = Math.max(start, cut - MAX_ESCAPE_LENGTH + 1); at < cut; at += 1) {
    if (!startsEscape(bytes, start, at)) continue;
    const [found = ''] = ESCAPE.exec(bytes.toString('latin1', at, at + MAX_ESCAPE_LENGTH)) ?? [];
    if (at + found.length > cut) return at;
  }
  return cut;
}

/** Yields the bytes in pieces of at most `limit` bytes, split between code points and between escapes. */
export function* textPieces(bytes: Buffer, limit: number): Generator<string> {
  for (let start = 0, end = 0; start < bytes.length; start = end) {
    end = cutBefore(bytes, start, start + limit);
    yield bytes.toString('utf8', start, end);
  }
}

/**
 * Splits a string between code points.
 * @param content the text in a string in JSON, without its quotes
 */
function* cutString(content: Buffer, limit: number): Slices<string[]> {
  const pieces: string[] = [];
  for (const piece of textPieces(content, limit - '""'.length)) {
    pieces.push(`"${piece}"`);
    yield;
  }
  return pieces;
}

/**
 * Splits an array between elements.
 * @returns undefined if one element is too large
 */
function* cutArray(text: string, limit: number): Slices<string[] | undefined> {
  const bytes = Buffer.from(text);
  const pieces: string[] = [];
  const room = limit - '[]'.length;
  let largest = 0;
  // Begin of the first and end of the last element of the current piece. An array can have millions of elements.
  let [begin, end] = [0, 0];
  const add = () => end > 0 && pieces.push(`[${bytes.toString('utf8', begin, end)}]`);
  yield* scanSlices(bytes, (_, __, elementStart, elementEnd) => {
    largest = Math.max(largest, elementEnd - elementStart);
    if (end === 0 || elementEnd - begin > room) {
      add();
      begin = elementStart;
    }
    end = elementEnd;
  });
  if (largest > room) return undefined;
  add();
  return pieces;
}

const isHighSurrogate = (unit: number) => unit >> 10 === 0b110110;

/** Returns the text as the content of a string in JSON. */
function* escaped(text: string): Slices<Buffer> {
  const pieces: Buffer[] = [];
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = start + SLICE;
    // JSON.stringify would escape the halves of a code point.
    if (isHighSurrogate(text.charCodeAt(end - 1))) end += 1;
    pieces.push(Buffer.from(JSON.stringify(text.slice(start, end)).slice(1, -1)));
    yield;
  }
  return Buffer.concat(pieces);
}

/** Returns the number of bytes of an element without its output. */
const envelopeOf = (number: number, rest: Omit<Chunk, 'output'>) =>
  sizeOf(elementText(number, { ...rest, output: '' }));

/**
 * Splits an output into pieces of at most `limit` bytes, which a client can join. A string is split between code
 * points, an array between elements. Any other output is split as text, into strings with part numbers.
 * @param chunk a chunk whose output has more than `limit` bytes
 */
export function* split({ output, ...rest }: Chunk, limit: number): Slices<Chunk[]> {
  const isString = output.startsWith('"');
  const pieces = isString ? yield* cutString(Buffer.from(output.slice(1, -1)), limit) : undefined;
  const whole = pieces ?? (output.startsWith('[') ? yield* cutArray(output, limit) : undefined);
  if (whole) return whole.map((piece) => ({ ...rest, output: piece }));
  const parts = yield* cutString(yield* escaped(output), limit);
  return parts.map((piece, n) => ({ ...rest, output: piece, part: n + 1, parts: parts.length }));
}

/**
 * Splits the chunk so that each element of `/stream` has at most `limit` bytes.
 * @param number the number of the first piece
 */
export async function cut(number: number, chunk: Chunk, limit: number = payloadLimits.chunk): Promise<Chunk[]> {
  const { output, ...rest } = chunk;
  if (envelopeOf(number, rest) + sizeOf(output) <= limit) return [chunk];
  // The digits of the piece numbers depend on the split, so each piece reserves room for the longest numbers.
  const room = limit - envelopeOf(LAST_CHUNK, { ...rest, part: LAST_CHUNK, parts: LAST_CHUNK });
  return inSlices(sizeOf(output), () => split(chunk, room));
}
