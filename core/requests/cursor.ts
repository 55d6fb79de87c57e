/** Cursors of lists: opaque strings that a client sends to get the next page. */
import { createHash } from 'node:crypto';
import { InvalidRequest } from './errors.ts';
import { type QueryValue, shown } from './validation.ts';

const CHECK_LENGTH = 12;

/** Minimum length of a cursor: base64 of a position of one character and its checksum. */
export const minCursorLength = Math.ceil(((CHECK_LENGTH + 1) * 4) / 3);

/** A checksum, not a secret: it detects a cursor that was cut, changed or issued for another list. */
const checkOf = (list: string, position: string) =>
  createHash('sha256').update(`${list} ${position}`).digest('base64url').slice(0, CHECK_LENGTH);

/**
 * Returns the cursor of the next page of a list.
 * @param position of the last item of the page, in ASCII
 */
export const cursorOf = (list: string, position: string): string =>
  Buffer.from(position + checkOf(list, position)).toString('base64url');

/**
 * Returns the position in a cursor.
 * @param form of a position
 * @throws InvalidRequest if it is not a cursor of this list
 */
export function positionIn(list: string, cursor: QueryValue, form: RegExp): string {
  if (typeof cursor === 'string') {
    const position = Buffer.from(cursor, 'base64url').toString('latin1').slice(0, -CHECK_LENGTH);
    if (form.test(position) && cursorOf(list, position) === cursor) return position;
  }
  throw new InvalidRequest(
    `\`cursor\` must be the unchanged \`nextCursor\` of another page of \`${list}\`, got ${shown(cursor)}.`,
  );
}
