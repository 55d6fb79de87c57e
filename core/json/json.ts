/**
 * Reads and writes JSON without changing a byte of its values. `JSON.parse` followed by `JSON.stringify` turns
 * 12345678901234567890 into another number, -0 into 0 and `\u00e9` into é, so the bytes of values are copied from
 * requests to responses.
 */

import { payloadLimits } from '../limits.ts';
import { InvalidRequest } from '../requests/errors.ts';
import { afterSpace, scanJson, scanSlices } from './scan.ts';
import { atOnce, inSlices, type Slices } from './slices.ts';
import { faultOfUtf8 } from './utf8.ts';

/** Returns the bytes as a Buffer, without a copy. */
const viewOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const bytesOf = (source: string | Uint8Array) => (typeof source === 'string' ? Buffer.from(source) : viewOf(source));

/** A JSON object: the unparsed bytes of each member. */
export class JsonObject {
  readonly #members: ReadonlyMap<string, Buffer>;

  constructor(members: ReadonlyMap<string, Buffer>) {
    this.#members = members;
  }

  get names(): string[] {
    return [...this.#members.keys()];
  }

  /** Returns the JSON text of a member as a view of the source, which keeps the source's whole buffer in memory. */
  bytes(name: string): Uint8Array | undefined {
    return this.#members.get(name);
  }

  /** Returns the JSON text of a member. */
  text(name: string): string | undefined {
    return this.#members.get(name)?.toString('utf8');
  }

  /** Returns the parsed value of a member. */
  value(name: string): unknown {
    const text = this.text(name);
    return text === undefined ? undefined : JSON.parse(text);
  }

  /**
   * Returns the parsed value of a small member.
   * @throws InvalidRequest if it has more than `payloadLimits.field` bytes
   */
  smallValue(name: string): unknown {
    const length = this.#members.get(name)?.length ?? 0;
    if (length > payloadLimits.field)
      throw new InvalidRequest(`\`${name}\` has ${length} bytes; at most ${payloadLimits.field} are allowed.`);
    return this.value(name);
  }
}

const kinds: Readonly<Record<string, string>> = {
  '[': 'an array',
  '"': 'a string',
  n: 'null',
  t: 'a boolean',
  f: 'a boolean',
};

/** What a body begins with that is no JSON, by its first bytes. */
const beginnings: readonly (readonly [first: string, what: string])[] = [
  ['efbbbf', 'begins with a byte order mark; send JSON in UTF-8 without it'],
  ['feff', 'begins with a byte order mark of UTF-16; send JSON in UTF-8 without it'],
  ['fffe', 'begins with a byte order mark of UTF-16; send JSON in UTF-8 without it'],
  ['1f8b', 'is gzip-compressed; Content-Encoding is not supported'],
  // API Gateway passes a body to a function as text, in which U+FFFD is in the place of each byte that is not UTF-8.
  ['1fefbfbd', 'is gzip-compressed; Content-Encoding is not supported'],
  ['28b52ffd', 'is zstd-compressed; Content-Encoding is not supported'],
  ['28efbfbd2fefbfbd', 'is zstd-compressed; Content-Encoding is not supported'],
];
const MAX_BEGINNING_LENGTH = 8;

/**
 * Checks the first bytes of a body.
 * @throws InvalidRequest if the first bytes show that the body is compressed or in another encoding
 */
function assertPlain(bytes: Buffer): void {
  const first = bytes.toString('hex', 0, MAX_BEGINNING_LENGTH);
  const found = beginnings.find(([beginning]) => first.startsWith(beginning));
  if (found) throw new InvalidRequest(`The body ${found[1]}.`);
}

function assertUtf8(bytes: Uint8Array): void {
  const fault = faultOfUtf8(bytes);
  if (fault !== undefined) throw new InvalidRequest(`The body is not valid UTF-8 at byte ${fault}.`);
}

const BACKSLASH = 0x5c;
const OPENING_BRACE = 0x7b;
const LETTER_U = 0x75;
/** Offsets of the digits and of the end of an escape such as `\u0069` from its backslash. */
const UNICODE_ESCAPE = { digits: 2, end: 6 } as const;

/**
 * Returns whether the JSON string equals the ASCII `name`. Stops at the first difference, because a body can have
 * millions of names.
 * @param start position of the opening quote
 * @param end position after the closing quote
 */
function isName(bytes: Buffer, start: number, end: number, name: Buffer): boolean {
  let at = start + 1;
  for (const wanted of name) {
    let character = bytes[at];
    if (character === BACKSLASH) {
      // No wanted name contains a character with a short escape.
      if (bytes[at + 1] !== LETTER_U) return false;
      const { digits, end } = UNICODE_ESCAPE;
      character = Number.parseInt(bytes.toString('latin1', at + digits, at + end), 16);
      at += end;
    } else at += 1;
    if (character !== wanted) return false;
  }
  return at === end - 1;
}

/** Returns a function that reads the name of a member, or returns undefined if the name is not wanted. */
function nameReader(bytes: Buffer, wanted?: readonly string[]): (start: number, end: number) => string | undefined {
  if (!wanted) return (start, end) => String(JSON.parse(bytes.toString('utf8', start, end)));
  const names = wanted.map((name) => ({ name, bytes: Buffer.from(name) }));
  return (start, end) => names.find((each) => isName(bytes, start, end, each.bytes))?.name;
}

function* objectIn(bytes: Buffer, wanted?: readonly string[]): Slices<JsonObject> {
  if (bytes[0] !== OPENING_BRACE) assertPlain(bytes);
  assertUtf8(bytes);
  const start = yield* afterSpace(bytes, 0);
  if (start === bytes.length) throw new InvalidRequest('The body is empty: send a JSON object.');
  const nameOf = nameReader(bytes, wanted);
  const members = new Map<string, Buffer>();
  const first = bytes.toString('latin1', start, start + 1);
  yield* scanSlices(bytes, (nameStart, nameEnd, from, to) => {
    const name = first === '{' ? nameOf(nameStart, nameEnd) : undefined;
    if (name !== undefined) members.set(name, bytes.subarray(from, to));
  });
  if (first !== '{') throw new InvalidRequest(`The body must be a JSON object, got ${kinds[first] ?? 'a number'}.`);
  return new JsonObject(members);
}

/**
 * Parses a JSON object.
 * @param source a request body or a worker's report
 * @param wanted names of the members to return, in ASCII without quotes and backslashes; all members by default. Of
 * members with the same name, the last counts.
 * @throws InvalidRequest if the source is not a JSON object; the message names its type
 */
export const parseJsonObject = (source: string | Uint8Array, wanted?: readonly string[]): JsonObject =>
  atOnce(objectIn(bytesOf(source), wanted));

/**
 * Parses a JSON object that can be large. The process can do other work after each slice.
 * @throws as `parseJsonObject`
 */
export const parseLargeObject = (source: Uint8Array, wanted?: readonly string[]): Promise<JsonObject> =>
  inSlices(source.length, () => objectIn(viewOf(source), wanted));

/** Returns the JSON texts of the elements of an array. */
export function elementsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const elements: string[] = [];
  scanJson(bytes, (_, __, start, end) => elements.push(bytes.toString('utf8', start, end)));
  return elements;
}

/** JSON text in pieces, in which large values remain bytes. */
export class JsonText {
  readonly #pieces: readonly (string | Uint8Array)[];

  constructor(pieces: readonly (string | Uint8Array)[]) {
    this.#pieces = pieces;
  }

  /** Pieces in UTF-8, in the order in which they are sent. */
  get bytes(): Buffer[] {
    return this.#pieces.map(bytesOf);
  }

  toString(): string {
    return this.#pieces.map((piece) => (typeof piece === 'string' ? piece : viewOf(piece).toString('utf8'))).join('');
  }
}

/** Writes a JSON object from the JSON texts of its members; undefined members are omitted. */
export function jsonPieces(members: Readonly<Record<string, string | Uint8Array | JsonText | undefined>>): JsonText {
  const pieces: (string | Uint8Array)[] = [];
  let text = '{';
  let separator = '';
  for (const [name, member] of Object.entries(members)) {
    if (member === undefined) continue;
    text += `${separator}${JSON.stringify(name)}:`;
    separator = ',';
    if (typeof member === 'string') text += member;
    else {
      pieces.push(text, ...(member instanceof JsonText ? member.bytes : [member]));
      text = '';
    }
  }
  return new JsonText([...pieces, `${text}}`]);
}

/** Writes a JSON object as one string. */
export const jsonText = (members: Readonly<Record<string, string | undefined>>): string =>
  jsonPieces(members).toString();
