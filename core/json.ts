/**
 * Reads JSON without losing a byte of it. `JSON.parse` followed by `JSON.stringify` turns 12345678901234567890 into
 * another number, -0 into 0 and `\u00e9` into é; so texts of clients and workers are cut out of what came in and pasted
 * into what goes out.
 */
import { InvalidRequest } from './errors.ts';
import { payloadLimits } from './limits.ts';

/** A JSON object: its value for reading small fields, and the raw text of each member for passing on. */
export interface JsonObject {
  readonly value: Readonly<Record<string, unknown>>;
  readonly members: ReadonlyMap<string, string>;
}

/** Index of the quote that ends the string that starts at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
}

/** The raw texts of the members of a text that `JSON.parse` has accepted as an object. Of equal names the last counts. */
function membersOf(text: string): Map<string, string> {
  const members = new Map<string, string>();
  let depth = 0;
  let name: string | undefined;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      const end = endOfString(text, at);
      if (depth === 1 && name === undefined) {
        name = String(JSON.parse(text.slice(at, end + 1)));
        at = text.indexOf(':', end);
        start = at + 1;
      } else {
        at = end;
      }
    } else if (depth === 1 && name !== undefined && (char === ',' || char === '}')) {
      members.set(name, text.slice(start, at).trim());
      name = undefined;
    } else if (char === '{' || char === '[') {
      depth += 1;
      if (depth > payloadLimits.depth)
        throw new InvalidRequest(`The body is nested deeper than the ${payloadLimits.depth} levels that are allowed.`);
    } else if (char === '}' || char === ']') {
      depth -= 1;
    }
  }
  return members;
}

/** The raw texts of the elements of a text that `JSON.parse` has accepted as an array. */
export function elementsOf(text: string): string[] {
  const elements: string[] = [];
  let depth = 0;
  let start = text.indexOf('[') + 1;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else if (char === '{' || char === '[') depth += 1;
    const ends = char === '}' || char === ']';
    if (depth === 1 && (char === ',' || ends)) {
      elements.push(text.slice(start, at).trim());
      start = at + 1;
    }
    if (ends) depth -= 1;
  }
  return elements.length === 1 && elements[0] === '' ? [] : elements;
}

const nameOfType = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;

/** What the parser found, without the characters around it that it quotes: they may be of a secret. */
const findingOf = ({ message }: Error) => message.split(/(?:^|, )(?:\.\.\.)?"/)[0] || 'it is no JSON';

/**
 * @param text a request body or a worker's report
 * @throws InvalidRequest if it is no JSON object, with what it is instead
 */
export function parseJsonObject(text: string): JsonObject {
  if (text.trim() === '') throw new InvalidRequest('The body is empty: send a JSON object.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InvalidRequest(`The body is not valid JSON: ${findingOf(error as SyntaxError)}.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidRequest(`The body must be a JSON object, got ${nameOfType(value)}.`);
  return { value: { ...value }, members: membersOf(text) };
}

/** A JSON object from the raw JSON texts of its members; absent ones are left out. */
export function jsonText(members: Readonly<Record<string, string | undefined>>): string {
  const present = Object.entries(members).filter(([, text]) => text !== undefined);
  return `{${present.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}
