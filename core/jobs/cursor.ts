/** Where a list of an endpoint's jobs goes on: clients hand it back as they got it. */
import { createHash } from 'node:crypto';
import { InvalidRequest } from '../errors.ts';
import { type QueryValue, shown } from '../validation.ts';

const POSITION = /^0[0-9a-z]{35}$/;
const POSITION_LENGTH = 36;
const CHECK_LENGTH = 12;

/** Not a secret: it tells a cursor that was cut, changed or meant for another endpoint from one of ours. */
const checkOf = (endpoint: string, position: string) =>
  createHash('sha256').update(`${endpoint} ${position}`).digest('base64url').slice(0, CHECK_LENGTH);

/**
 * A cursor says no more than the id of a job of the endpoint, and is read within the endpoint of the path alone.
 * @param position order of the last job that was looked at (`orderOf`)
 */
export const cursorOf = (endpoint: string, position: string): string =>
  Buffer.from(position + checkOf(endpoint, position)).toString('base64url');

/** @throws InvalidRequest if it is no cursor of this endpoint */
export function positionIn(endpoint: string, cursor: QueryValue): string {
  if (typeof cursor === 'string') {
    const position = Buffer.from(cursor, 'base64url').toString('latin1').slice(0, POSITION_LENGTH);
    if (POSITION.test(position) && cursorOf(endpoint, position) === cursor) return position;
  }
  throw new InvalidRequest(
    `\`cursor\` must be the \`nextCursor\` of another page of \`${endpoint}\`, as it came, got ${shown(cursor)}.`,
  );
}
