/** Makes untrusted text safe to show. */
import { stringEnd } from './scan.ts';

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
export function preview(text: string, start: number, end: number, most: number): string {
  const part = text.slice(start, Math.min(end, start + most));
  const line = part.includes('\n') ? part.replace(/\s+/g, (space) => (space.includes('\n') ? ' ' : space)) : part;
  return seen(end - start > most ? `${line}…` : line);
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

const ADDRESS = /^"https?:\/\/[^\s"\\<>]{3,2000}"$/;

/** Returns the address if a JSON string contains only an `http` or `https` address; otherwise undefined. */
export function addressIn(text: string, start: number, end: number): string | undefined {
  if (end - start > 2100) return undefined;
  const source = text.slice(start, end);
  return ADDRESS.test(source) && URL.canParse(source.slice(1, -1)) ? source.slice(1, -1) : undefined;
}

/** Splits a text into lines, and splits lines longer than `most` characters. */
export function linesOf(text: string, most = 2000): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .flatMap((line) =>
      line.length <= most
        ? [line]
        : Array.from({ length: Math.ceil(line.length / most) }, (_, n) => line.slice(n * most, (n + 1) * most)),
    );
}
