/**
 * Reads JSON text without creating values: numbers keep their digits, objects keep the order and duplicates of
 * their members, and a text of 20 MB needs no tree in memory.
 */

import { JsonSyntaxError } from './syntax-error.ts';

function syntaxError(text: string, at: number, problem: string): JsonSyntaxError {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const column = at - before.lastIndexOf('\n');
  return new JsonSyntaxError(`Line ${line}, column ${column}: ${problem}.`, at);
}

/** @param expected what must be in the text instead of the character at `at` */
function unexpected(text: string, at: number, expected: string): JsonSyntaxError {
  const character = text.codePointAt(at);
  const found =
    character === undefined ? 'but the text ends' : `not ${JSON.stringify(String.fromCodePoint(character))}`;
  return syntaxError(text, at, `${expected}, ${found}`);
}

export type Kind = 'object' | 'array' | 'string' | 'number' | 'literal';

/** The children of an object or array, as offsets into the text. */
export interface Children {
  /** Offset of the opening bracket, or of a value without children. */
  readonly start: number;
  readonly end: number;
  /** Offsets of the names, including their quotes; empty for an array. */
  readonly names: readonly number[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

export interface ScanOptions {
  /** Whether the text must end after the value. */
  readonly whole?: boolean;
  /** Called with the offsets of each string that is longer than `LONG`. The offsets include its quotes. */
  readonly onLongString?: (start: number, end: number) => void;
}

/** Characters, including the quotes, above which a string could be a file. */
const LONG = 100;

/** Maximum nesting, which is also the service's limit. */
const DEEPEST = 1000;
const TOO_DEEP = `objects and arrays can be nested at most ${DEEPEST} levels deep`;

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const LITERAL = /true|false|null/y;

const isSpace = (code: number) => code === 32 || code === 10 || code === 13 || code === 9;

/** @returns the offset of the first character at or after `at` that is not white space */
export function skipSpace(text: string, at: number): number {
  let next = at;
  while (isSpace(text.charCodeAt(next))) next += 1;
  return next;
}

const CONTROL = 'a line break or another control character in a string must be escaped, for example as \\n';

/** @param at offset after the backslash */
function wrongEscape(text: string, at: number): JsonSyntaxError {
  if (text[at] === 'u') return syntaxError(text, at, 'after \\u, the 4 hexadecimal digits of a character must follow');
  return unexpected(text, at, 'a backslash needs one of "\\/bfnrtu after it');
}

/**
 * @param at offset of the opening quote
 * @returns the offset after the closing one
 */
export function stringEnd(text: string, at: number): number {
  for (let next = at + 1; ; next += 1) {
    const code = text.charCodeAt(next);
    if (code === QUOTE) return next + 1;
    if (code === BACKSLASH) {
      ESCAPE.lastIndex = next;
      if (!ESCAPE.test(text)) throw wrongEscape(text, next + 1);
      next = ESCAPE.lastIndex - 1;
    } else if (Number.isNaN(code)) throw unexpected(text, next, 'a string must end with a quote');
    else if (code < 32) throw syntaxError(text, next, CONTROL);
  }
}

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  if (!pattern.test(text)) throw unexpected(text, at, 'a value must be here');
  return pattern.lastIndex;
}

export function kindAt(text: string, at: number): Kind {
  const code = text.charCodeAt(at);
  if (code === OPEN_OBJECT) return 'object';
  if (code === OPEN_ARRAY) return 'array';
  if (code === QUOTE) return 'string';
  return code === 45 || (code >= 48 && code <= 57) ? 'number' : 'literal';
}

/**
 * What the scanner expects next. `first`: the first name or value after an opening bracket, or the closing one.
 * `after`: what follows a value, a comma or the closing bracket.
 */
type Next = 'value' | 'first' | 'name' | 'after';

/**
 * Reads the value at `at`, and returns its children.
 * @throws JsonSyntaxError
 */
export function scan(text: string, at: number, { whole = false, onLongString }: ScanOptions = {}): Children {
  const start = skipSpace(text, at);
  const names: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  /** Opening brackets around the offset. */
  const open: number[] = [];
  let cursor = start;
  let next: Next = 'value';
  let end = 0;

  function ended(valueStart: number): void {
    next = 'after';
    if (open.length === 1) {
      starts.push(valueStart);
      ends.push(cursor);
    }
    if (open.length > 0) return;
    end = cursor;
    const rest = whole ? skipSpace(text, cursor) : cursor;
    if (whole && rest < text.length) throw unexpected(text, rest, 'the text must end after the value');
  }

  const openings: number[] = [];
  function readValue(): void {
    const from = cursor;
    const code = text.charCodeAt(cursor);
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      if (open.length === DEEPEST) throw syntaxError(text, cursor, TOO_DEEP);
      open.push(code);
      openings.push(cursor);
      cursor += 1;
      next = 'first';
      return;
    }
    if (code === QUOTE) {
      cursor = stringEnd(text, cursor);
      if (cursor - from > LONG) onLongString?.(from, cursor);
    } else cursor = matchEnd(kindAt(text, cursor) === 'number' ? NUMBER : LITERAL, text, cursor);
    ended(from);
  }

  function readName(): void {
    if (text.charCodeAt(cursor) !== QUOTE)
      throw unexpected(text, cursor, 'the name of a member, in double quotes, must be here');
    if (open.length === 1) names.push(cursor);
    cursor = skipSpace(text, stringEnd(text, cursor));
    if (text[cursor] !== ':') throw unexpected(text, cursor, 'a colon must follow the name');
    cursor += 1;
    next = 'value';
  }

  function close(): void {
    open.pop();
    cursor += 1;
    ended(openings.pop() ?? start);
  }

  function readComma(code: number, closing: number, innermost: number | undefined): void {
    if (code !== COMMA) throw unexpected(text, cursor, `a comma or ${String.fromCharCode(closing)} must be here`);
    cursor += 1;
    next = innermost === OPEN_OBJECT ? 'name' : 'value';
  }

  function readNext(): void {
    cursor = skipSpace(text, cursor);
    const innermost = open.at(-1);
    const code = text.charCodeAt(cursor);
    const closing = innermost === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY;
    if (next === 'value') readValue();
    else if (code === closing && next !== 'name') close();
    else if (next === 'after') readComma(code, closing, innermost);
    else if (innermost === OPEN_OBJECT) readName();
    else readValue();
  }

  while (end === 0) readNext();
  return { start, end, names, starts, ends };
}

/** @throws JsonSyntaxError if the text is not one JSON value */
export const childrenOf = (text: string): Children => scan(text, 0, { whole: true });

/** A part of a text, by the offsets of its first character and after its last one. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the value of each member of the object with these `children`. Of several members with the same name, the
 * last one counts.
 */
export function valuesIn(text: string, { names, starts, ends }: Children): ReadonlyMap<string, Part> {
  return new Map(
    Array.from(names, (name, n) => [
      JSON.parse(text.slice(name, stringEnd(text, name))) as string,
      { start: starts[n] ?? 0, end: ends[n] ?? 0 },
    ]),
  );
}

/** As `valuesIn`, with the text of each value. */
export const members = (text: string, children: Children): ReadonlyMap<string, string> =>
  new Map([...valuesIn(text, children)].map(([name, { start, end }]) => [name, text.slice(start, end)]));

/**
 * Returns the text of each member of an object, or undefined if the text is not an object.
 * @throws JsonSyntaxError
 */
export function membersOf(text: string): ReadonlyMap<string, string> | undefined {
  const children = childrenOf(text);
  return kindAt(text, children.start) === 'object' ? members(text, children) : undefined;
}

/**
 * Returns the text of each element of an array, or undefined if the text is not an array.
 * @throws JsonSyntaxError
 */
export function elementsOf(text: string): readonly string[] | undefined {
  const { start, starts, ends } = childrenOf(text);
  return kindAt(text, start) === 'array' ? Array.from(starts, (from, n) => text.slice(from, ends[n])) : undefined;
}
