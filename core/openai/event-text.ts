/** Writes JSON values as text of an event stream, in pieces, so that a large value is never one string. */

import { textPieces } from '../streams/chunk.ts';
import { PIECE } from '../streams/read.ts';

const QUOTE = '"'.charCodeAt(0);

/** Returns an event from a JSON value: a string is the whole event, any other value is its data. */
export const eventOf = (json: string): string =>
  json.startsWith('"') ? (JSON.parse(json) as string) : `data: ${json}\n\n`;

/**
 * Yields the text of an event, in pieces of up to `PIECE` bytes.
 * @param json a JSON value in UTF-8
 */
export function* eventPieces(json: Buffer): Generator<string> {
  if (json.length <= PIECE) yield eventOf(json.toString('utf8'));
  else if (json[0] === QUOTE)
    for (const piece of textPieces(json.subarray(1, -1), PIECE)) yield JSON.parse(`"${piece}"`) as string;
  else {
    yield 'data: ';
    yield* textPieces(json, PIECE);
    yield '\n\n';
  }
}

/**
 * Form of the last event of a stream. Clients disconnect after it, before the worker has reported the end of the
 * job.
 */
export const LAST_EVENT = /(?:^|\n)data: ?\[DONE\]\s*$/;
