/** Where a list goes on: clients hand it back as they got it. */
import { createHash } from 'node:crypto';
import type { QueryValue } from './validation.ts';

const CHECK_LENGTH = 12;

/** Not a secret: it tells a cursor that was cut, changed or meant for another list from one of ours. */
const checkOf = (list: string, position: string) =>
  createHash('sha256').update(`${list} ${position}`).digest('base64url').slice(0, CHECK_LENGTH);

/** @param list names what is listed */
export const encodeCursor = (list: string, position: string): string =>
  Buffer.from(`${position}.${checkOf(list, position)}`).toString('base64url');

/** The position, if it is a cursor of this list. */
export function decodeCursor(list: string, cursor: QueryValue): string | undefined {
  if (typeof cursor !== 'string') return undefined;
  const position = Buffer.from(cursor, 'base64url')
    .toString('latin1')
    .slice(0, -(CHECK_LENGTH + 1));
  return encodeCursor(list, position) === cursor ? position : undefined;
}
