/** Lays out JSON for reading, without changing its values. */
import { FURTHER, seen, stringOf } from './display.ts';
import { childrenOf, stringEnd } from './scan.ts';

/** A bracket, a separator, the beginning of a string, or another value. */
const TOKEN = /[{}[\],:"]|[^\s{}[\],:"]+/g;

const WIDTH = 80;

/** An object or list without others in it, of about one line. */
const FLAT = /[[{](?:[^[\]{}"]|"(?:[^"\\]|\\.){0,80}"){0,80}[\]}]/y;
const INNER = /"[^"\\]*(?:\\.[^"\\]*)*"?|[,:]|\s+/g;
const spaced: Readonly<Record<string, string>> = { ',': ', ', ':': ': ' };

/** Elements up to this length share lines, so that a vector is a block. */
const SHORT = 24;

/** Limits of what a page shows: lines, and levels that are indented. The input of an editor has fewer lines. */
const MAX_LINES = 500_000;
const MAX_INDENT = 40;

/**
 * Writes each member and element on a line. Inner objects and lists have one line if they fit.
 * @param text valid JSON
 * @param show returns what is written for a string
 */
export function formatted(text: string, show = (source: string) => source): string {
  const lines: string[] = [];
  const open: string[] = [];
  let [line, previous, isShort] = ['', '', false];
  const isOpening = (token: string) => token === '{' || token === '[';

  function nextLine(): void {
    lines.push(line);
    line = '  '.repeat(Math.min(open.length, MAX_INDENT));
  }

  /** Returns the string or the flat object or list that begins with the token, or the token. */
  function whole(token: string, at: number): string {
    if (token === '"') {
      TOKEN.lastIndex = stringEnd(text, at);
      return show(text.slice(at, TOKEN.lastIndex));
    }
    FLAT.lastIndex = at;
    const [flat] = (isOpening(token) && open.length > 0 && FLAT.exec(text)) || [];
    if (flat === undefined || flat.length > WIDTH) return token;
    TOKEN.lastIndex = at + flat.length;
    return flat.replace(INNER, (part) => spaced[part] ?? (part.startsWith('"') ? show(part) : ''));
  }

  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    if (lines.length === MAX_LINES) return [...lines, FURTHER].join('\n');
    const token = whole(match[0], match.index);
    if (token === '}' || token === ']') {
      open.pop();
      if (!isOpening(previous)) nextLine();
      isShort = false;
      line += token;
    } else if (token === ',' || token === ':') line += token === ':' ? ': ' : token;
    else {
      const isNextShort = token.length <= SHORT && !isOpening(token);
      const hasRoom = previous === ',' && open.at(-1) === '[' && line.length + token.length < WIDTH;
      if (hasRoom && isShort && isNextShort) line += ' ';
      else if (isOpening(previous) || previous === ',') nextLine();
      isShort = isNextShort;
      line += token;
    }
    if (isOpening(token)) open.push(token);
    previous = token;
  }
  return [...lines, line].join('\n');
}

/** Characters of a string that a page shows. A longer one is a file. */
const MAX_STRING = 50_000;

/**
 * Returns what the page shows of JSON.
 * @param isPlain whether strings are shown as the text that they encode, with its line breaks
 * @throws JsonSyntaxError
 */
export function layoutOf(text: string, isPlain: boolean): string {
  childrenOf(text);
  return formatted(text, (source) => {
    if (source.length > MAX_STRING)
      return `${seen(source.slice(0, MAX_STRING))}…" (${source.length.toLocaleString('en-US')} characters)`;
    return seen(isPlain ? `"${stringOf(source) ?? ''}"` : source);
  });
}
