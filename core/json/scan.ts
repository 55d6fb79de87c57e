/**
 * Validates bytes as JSON (RFC 8259) in one pass, and reports the positions of the members of the outermost object
 * or array. The scan does not build a tree, because the tree of a body of small arrays takes 14 times the memory
 * of the body. The scan can pause, so that a large body does not block the process.
 */

import { payloadLimits } from '../limits.ts';
import { InvalidRequest } from '../requests/errors.ts';
import { atOnce, SLICE, type Slices } from './slices.ts';

/**
 * Called with the positions of each member's name (including its quotes) and value. An element of an array has no
 * name.
 */
export type OnPart = (nameStart: number, nameEnd: number, start: number, end: number) => void;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const LETTER_I = 0x49;
const ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const OBJECT = 0x7b;

/** Difference in ASCII between `[` or `{` and its closing bracket. */
const TO_CLOSER = 2;
const OBJECT_CLOSER = OBJECT + TO_CLOSER;

/**
 * Whether the byte after a backslash is the letter of a short escape: 1 or 0 for each byte. A table is fast enough
 * for bodies with millions of escapes.
 */
const isLetterOfEscape = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number('"\\/bfnrt'.includes(String.fromCharCode(byte))),
);
const LITERALS = ['true', 'false', 'null'].map((literal) => Buffer.from(literal));

/**
 * Values of JavaScript and Python that JSON does not have. Only these are named in messages, because other bytes might
 * be part of a secret.
 */
const FOREIGN = ['NaN', 'Infinity', '-Infinity', 'undefined', 'None', 'True', 'False'].map((name) => ({
  name,
  bytes: Buffer.from(name),
}));

/** Creates an error that quotes no byte, because the byte might be part of a secret. */
function fault(bytes: Uint8Array, at: number, wanted: string): InvalidRequest {
  const end = at < bytes.length ? '' : ', but the body ends there';
  return new InvalidRequest(`The body is not valid JSON: expected ${wanted} at byte ${at}${end}.`);
}

/** Returns the complement of the position (`~at`), which is negative, if the white space continues after a slice. */
function spaceEnd(bytes: Uint8Array, start: number): number {
  const stop = start + SLICE;
  for (let at = start; at < stop; at += 1) {
    const byte = bytes[at];
    if (byte !== SPACE && byte !== LINE_FEED && byte !== TAB && byte !== CARRIAGE_RETURN) return at;
  }
  return ~stop;
}

/** Returns the first position from `start` that is not white space, or the end. */
export function* afterSpace(bytes: Uint8Array, start: number): Slices<number> {
  for (let at = start; ; yield) {
    const end = spaceEnd(bytes, at);
    if (end >= 0) return end;
    at = ~end;
  }
}

function isHex(byte: number): boolean {
  const small = byte | 0x20;
  return (byte >= ZERO && byte <= NINE) || (small >= 0x61 && small <= 0x66);
}

/**
 * Returns the position after an escape sequence.
 * @param at position of the backslash
 */
function afterEscape(bytes: Uint8Array, at: number): number {
  const letter = bytes[at + 1] ?? 0;
  if (isLetterOfEscape[letter] === 1) return at + 2;
  if (letter !== LETTER_U) throw fault(bytes, at + 1, 'an escape character');
  for (let digit = at + 2; digit < at + 6; digit += 1)
    if (!isHex(bytes[digit] ?? 0)) throw fault(bytes, digit, 'a hexadecimal digit of an escape');
  return at + 6;
}

/**
 * Returns the position after the closing quote, or the complement of the position (`~at`), which is negative, if the
 * string continues after a slice.
 * @param start position of a character of the string
 */
function stringEnd(bytes: Uint8Array, start: number): number {
  const stop = start + SLICE;
  let at = start;
  while (at < stop) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) at = afterEscape(bytes, at);
    else if (byte >= SPACE) at += 1;
    else throw fault(bytes, at, 'a character of a string');
  }
  return ~at;
}

/**
 * Skips the rest of a string, and pauses after each slice.
 * @param start position of a character of the string
 * @returns the position after the closing quote
 */
function* restOfString(bytes: Uint8Array, start: number): Slices<number> {
  for (let at = start; ; yield) {
    const end = stringEnd(bytes, at);
    if (end >= 0) return end;
    at = ~end;
  }
}

/** Maximum number of digits of a number, because a number is read without a pause. */
const MAX_DIGITS = SLICE;

function afterDigits(bytes: Uint8Array, start: number): number {
  const stop = start + MAX_DIGITS;
  let at = start;
  for (let byte = bytes[at] ?? 0; byte >= ZERO && byte <= NINE; byte = bytes[at] ?? 0) {
    if (at === stop) throw fault(bytes, at, `at most ${MAX_DIGITS} digits`);
    at += 1;
  }
  if (at === start) throw fault(bytes, at, 'a digit');
  return at;
}

function afterNumber(bytes: Uint8Array, start: number): number {
  let at = bytes[start] === MINUS ? start + 1 : start;
  at = bytes[at] === ZERO ? at + 1 : afterDigits(bytes, at);
  if (bytes[at] === POINT) at = afterDigits(bytes, at + 1);
  if (((bytes[at] ?? 0) | 0x20) !== 0x65) return at;
  const sign = bytes[at + 1];
  return afterDigits(bytes, sign === PLUS || sign === MINUS ? at + 2 : at + 1);
}

const isAt = (bytes: Uint8Array, at: number, wanted: Uint8Array) => wanted.every((byte, n) => bytes[at + n] === byte);

/** Creates the error for bytes that begin no value. */
function noValue(bytes: Uint8Array, at: number): InvalidRequest {
  const foreign = FOREIGN.find((each) => isAt(bytes, at, each.bytes));
  if (!foreign) return fault(bytes, at, 'a value');
  return new InvalidRequest(`The body contains ${foreign.name} at byte ${at}, which is not a JSON value.`);
}

function afterLiteral(bytes: Uint8Array, at: number): number {
  const literal = LITERALS.find((each) => isAt(bytes, at, each));
  if (!literal) throw noValue(bytes, at);
  return at + literal.length;
}

/**
 * Skips a string, number, `true`, `false` or `null`.
 * @param at position of a value that is neither an object nor an array
 * @returns the position after the value, or the complement of the position (`~at`) if a string continues
 */
function scalarEnd(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] ?? 0;
  if (byte === QUOTE) return stringEnd(bytes, at + 1);
  if (byte === MINUS && bytes[at + 1] === LETTER_I) throw noValue(bytes, at);
  return byte === MINUS || (byte >= ZERO && byte <= NINE) ? afterNumber(bytes, at) : afterLiteral(bytes, at);
}

/**
 * Pauses after each `SLICE` of the bytes. Most runs of white space and most strings end within a slice, so a generator
 * is created only for the others.
 * @param bytes UTF-8
 * @throws InvalidRequest with the position of the first invalid byte, or with the limit of nesting
 */
export function* scanSlices(bytes: Uint8Array, onPart: OnPart): Slices<void> {
  let at = yield* afterSpace(bytes, 0);
  let pauseAt = at + SLICE;
  const closers = new Uint8Array(payloadLimits.depth);
  let depth = 0;
  let [nameStart, nameEnd, start] = [at, at, at];
  /** Whether a member or an element begins, and not the outermost value. */
  let isPart = false;

  for (;;) {
    if (at >= pauseAt) {
      yield;
      pauseAt = at + SLICE;
    }
    if (isPart) {
      const nameAt = at;
      let nameOver = at;
      if (closers[depth - 1] === OBJECT_CLOSER) {
        if (bytes[at] !== QUOTE) throw fault(bytes, at, 'a name in double quotes');
        nameOver = stringEnd(bytes, at + 1);
        if (nameOver < 0) nameOver = yield* restOfString(bytes, ~nameOver);
        at = spaceEnd(bytes, nameOver);
        if (at < 0) at = yield* afterSpace(bytes, ~at);
        if (bytes[at] !== COLON) throw fault(bytes, at, 'a colon');
        at = spaceEnd(bytes, at + 1);
        if (at < 0) at = yield* afterSpace(bytes, ~at);
      }
      if (depth === 1) [nameStart, nameEnd, start] = [nameAt, nameOver, at];
    }
    const byte = bytes[at];
    if (byte === OBJECT || byte === ARRAY) {
      if (depth === payloadLimits.depth)
        throw new InvalidRequest(`The body is nested too deeply: at most ${payloadLimits.depth} levels are allowed.`);
      const closer = byte + TO_CLOSER;
      closers[depth] = closer;
      depth += 1;
      isPart = true;
      at = spaceEnd(bytes, at + 1);
      if (at < 0) at = yield* afterSpace(bytes, ~at);
      if (bytes[at] !== closer) continue;
    } else {
      at = scalarEnd(bytes, at);
      if (at < 0) at = yield* restOfString(bytes, ~at);
      if (depth === 1) onPart(nameStart, nameEnd, start, at);
    }
    at = spaceEnd(bytes, at);
    if (at < 0) at = yield* afterSpace(bytes, ~at);
    while (depth > 0 && bytes[at] === closers[depth - 1]) {
      depth -= 1;
      if (depth === 1) onPart(nameStart, nameEnd, start, at + 1);
      at = spaceEnd(bytes, at + 1);
      if (at < 0) at = yield* afterSpace(bytes, ~at);
    }
    if (depth === 0) break;
    if (bytes[at] !== COMMA) throw fault(bytes, at, 'a comma or a closing bracket');
    at = spaceEnd(bytes, at + 1);
    if (at < 0) at = yield* afterSpace(bytes, ~at);
  }
  if (at < bytes.length) throw fault(bytes, at, 'the end of the body');
}

/**
 * Scans without a pause.
 * @throws as `scanSlices`
 */
export const scanJson = (bytes: Uint8Array, onPart: OnPart): void => atOnce(scanSlices(bytes, onPart));
