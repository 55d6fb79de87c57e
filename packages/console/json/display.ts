/** Makes untrusted text safe to show. */
import { type Part, stringEnd } from './scan.ts';

/** Invisible characters and characters that change the direction of text. They are shown as escapes. */
const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Escapes invisible and reordering characters, except line breaks, tabs and U+200D. */
export const seen = (text: string): string =>
  text.replace(UNSEEN, (character) => {
    // Joined emojis need U+200D.
    if (character === '\n' || character === '\t' || character === '\u200d') return character;
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });

/** Returns the beginning of a value, on one line. */
export function preview(text: string, start: number, end: number, maxLength: number): string {
  const part = text.slice(start, Math.min(end, start + maxLength));
  const line = part.includes('\n') ? part.replace(/\s+/g, (space) => (space.includes('\n') ? ' ' : space)) : part;
  return seen(end - start > maxLength ? `${line}…` : line);
}

/** Parses a JSON string. Returns undefined if the text is not a JSON string. */
export function stringOf(text: string): string | undefined {
  if (!text.startsWith('"')) return undefined;
  try {
    return stringEnd(text, 0) === text.length ? (JSON.parse(text) as string) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns a string of a JSON text, or another value as it was sent.
 * @default - the whole text
 */
export function stringIn(text: string, { start, end }: Part = { start: 0, end: text.length }): string {
  const source = text.slice(start, end);
  return stringOf(source) ?? source;
}

/** Maximum length of a shown line in characters. */
const MAX_LINE_LENGTH = 2000;

/** Maximum number of lines that a page shows: a browser limits the height that can scroll. */
export const MAX_LINES = 250_000;

/** The last line of a text with more lines. */
export const FURTHER = '… Further lines are in the copied or downloaded text.';

/** Splits a text into the lines that a page shows. Lines longer than `maxLength` characters are split. */
export function linesOf(text: string, maxLength = MAX_LINE_LENGTH): string[] {
  const lines: string[] = [];
  let from = 0;
  for (const { 0: end, index } of text.matchAll(/\r\n|\r|\n|$/g)) {
    do {
      if (lines.length === MAX_LINES) return [...lines, FURTHER];
      lines.push(text.slice(from, Math.min(index, from + maxLength)));
      from += maxLength;
    } while (from < index);
    from = index + end.length;
  }
  return lines;
}
