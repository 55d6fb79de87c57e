/** Where a list goes on: clients hand it back as they got it. */
import { createHash } from 'node:crypto';
import { InvalidRequest } from './errors.ts';
import { type QueryValue, shown } from './validation.ts';

const CHECK_LENGTH = 12;

/** Not a secret: it tells a cursor that was cut, changed or meant for another list from one of ours. */
const checkOf = (list: string, position: string) =>
  createHash('sha256').update(`${list} ${position}`).digest('base64url').slice(0, CHECK_LENGTH);

/** @param position of the last thing that was looked at, in ASCII */
export const cursorOf = (list: string, position: string): string =>
  Buffer.from(position + checkOf(list, position)).toString('base64url');

/**
 * @param form of positions
 * @throws InvalidRequest if it is no cursor of this list
 */
export function positionIn(list: string, cursor: QueryValue, form: RegExp): string {
  if (typeof cursor === 'string') {
    const position = Buffer.from(cursor, 'base64url').toString('latin1').slice(0, -CHECK_LENGTH);
    if (form.test(position) && cursorOf(list, position) === cursor) return position;
  }
  throw new InvalidRequest(
    `\`cursor\` must be the \`nextCursor\` of another page of \`${list}\`, as it came, got ${shown(cursor)}.`,
  );
}
