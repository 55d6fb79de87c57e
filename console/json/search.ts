/** Finds text in JSON as it was sent. */

/** The search stops at this number: a reader cannot step through more. */
const MOST_MATCHES = 10_000;

export interface Matches {
  /** Offsets, in order. */
  readonly at: readonly number[];
  /** Whether there are more than these. */
  readonly more: boolean;
}

const escaped = (query: string) => query.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Without regard to upper and lower case. */
export function find(text: string, query: string): Matches {
  const at: number[] = [];
  if (query === '') return { at, more: false };
  for (const { index } of text.matchAll(new RegExp(escaped(query), 'gi'))) {
    if (at.length === MOST_MATCHES) return { at, more: true };
    at.push(index);
  }
  return { at, more: false };
}

/** A text in pieces, of which every second one, from the second on, is a match. */
export const pieces = (text: string, query: string): readonly string[] =>
  query === '' ? [text] : text.split(new RegExp(`(${escaped(query)})`, 'gi'));
