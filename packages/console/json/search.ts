/** Finds text in JSON as it was sent. */

/** Maximum number of matches: a reader cannot step through more. */
const MAX_MATCHES = 10_000;

export interface Matches {
  /** Offsets of the matches, in order. */
  readonly at: readonly number[];
  /** Whether the text has more matches. */
  readonly more: boolean;
}

const escaped = (query: string) => query.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Finds the query in the text, ignoring case. */
export function find(text: string, query: string): Matches {
  const at: number[] = [];
  if (query === '') return { at, more: false };
  for (const { index } of text.matchAll(new RegExp(escaped(query), 'gi'))) {
    if (at.length === MAX_MATCHES) return { at, more: true };
    at.push(index);
  }
  return { at, more: false };
}

/** Splits a text into pieces. Every second piece, starting with the second, is a match. */
export const pieces = (text: string, query: string): readonly string[] =>
  query === '' ? [text] : text.split(new RegExp(`(${escaped(query)})`, 'gi'));
