/**
 * Parses printed data: JSON, and the Python dicts and lists in which RunPod's SDK prints an error. Parsing never
 * fails: a truncated value ends at the truncation, and unknown syntax becomes a string.
 */

export type Literal = string | number | boolean | null | readonly Literal[] | Members;
export type Members = ReadonlyMap<string, Literal>;

/** Maximum number of characters that are read, and maximum depth of nesting. Deeper values become strings. */
const bounds = { characters: 65_536, depth: 32 } as const;

const literals: ReadonlyMap<string, Literal> = new Map<string, Literal>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
]);

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', '\n': '' };
/** Number of digits of escapes that contain a code point. */
const hexDigits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

const LAST_CODE_POINT = 0x10ffff;
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

class Reader {
  readonly #text: string;
  #at: number;

  constructor(text: string, start: number) {
    this.#text = text.slice(0, start + bounds.characters);
    this.#at = start;
  }

  value(depth = 0): Literal {
    this.#skipSpace();
    const first = this.#text[this.#at];
    if (first === '"' || first === "'") return this.#string(first);
    if (depth === bounds.depth) return this.#word();
    if (first === '{') return this.#members(depth);
    if (first === '[' || first === '(') return this.#elements(first === '[' ? ']' : ')', depth);
    return this.#word();
  }

  #skipSpace(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at += 1;
  }

  /**
   * Skips the character if it is next.
   * @returns whether it was
   */
  #takes(character: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  get #isOver(): boolean {
    return this.#at >= this.#text.length;
  }

  #members(depth: number): Members {
    const members = new Map<string, Literal>();
    this.#at += 1;
    while (!this.#takes('}') && !this.#isOver) {
      const start = this.#at;
      const name = this.value(depth + 1);
      if (this.#takes(':')) members.set(String(name), this.value(depth + 1));
      this.#takes(',');
      if (this.#at === start) this.#at += 1;
    }
    return members;
  }

  #elements(closer: string, depth: number): Literal[] {
    const elements: Literal[] = [];
    this.#at += 1;
    while (!this.#takes(closer) && !this.#isOver) {
      const start = this.#at;
      elements.push(this.value(depth + 1));
      this.#takes(',');
      if (this.#at === start) this.#at += 1;
    }
    return elements;
  }

  /** Reads up to a comma, a colon or a bracket: a number, a constant, or the string form of an object. */
  #word(): Literal {
    const start = this.#at;
    while (!this.#isOver && !',:}])'.includes(this.#text.charAt(this.#at))) this.#at += 1;
    const text = this.#text.slice(start, this.#at).trim();
    const word = literals.get(text);
    if (word !== undefined) return word;
    return NUMBER.test(text) ? Number(text) : text;
  }

  #string(quote: string): string {
    let read = '';
    this.#at += 1;
    while (!this.#isOver) {
      const character = this.#text.charAt(this.#at);
      this.#at += 1;
      if (character === quote) break;
      read += character === '\\' ? this.#escape() : character;
    }
    return read;
  }

  /** Reads the escape after a backslash. */
  #escape(): string {
    const letter = this.#text.charAt(this.#at);
    this.#at += 1;
    const digits = hexDigits[letter];
    if (digits === undefined) return escapes[letter] ?? letter;
    const hex = this.#text.slice(this.#at, this.#at + digits);
    const point = /^[0-9a-fA-F]+$/.test(hex) && hex.length === digits ? Number.parseInt(hex, 16) : undefined;
    if (point === undefined || point > LAST_CODE_POINT) return letter;
    this.#at += digits;
    return String.fromCodePoint(point);
  }
}

/** Reads the value that begins at `start`, at most 65,536 characters of it. */
export const readLiteral = (text: string, start = 0): Literal => new Reader(text, start).value();

export const isMembers = (value: Literal | undefined): value is Members => value instanceof Map;
