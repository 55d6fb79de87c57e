/** Where a list of templates goes on: clients hand it back as they got it. */
import { createHash } from 'node:crypto';
import { InvalidRequest } from '../errors.ts';
import { type QueryValue, shown } from '../validation.ts';
import { TEMPLATE_ID } from './template.ts';

const CHECK_LENGTH = 12;

/** Not a secret: it tells a cursor that was cut or changed from one of ours. */
const checkOf = (id: string) =>
  createHash('sha256').update(`templates ${id}`).digest('base64url').slice(0, CHECK_LENGTH);

/** @param id of the last template that was listed */
export const cursorOf = (id: string): string => Buffer.from(checkOf(id) + id).toString('base64url');

/** @throws InvalidRequest if it is no cursor of a list of templates */
export function positionIn(cursor: QueryValue): string {
  if (typeof cursor === 'string') {
    const id = Buffer.from(cursor, 'base64url').toString('latin1').slice(CHECK_LENGTH);
    if (TEMPLATE_ID.test(id) && cursorOf(id) === cursor) return id;
  }
  throw new InvalidRequest(
    `\`cursor\` must be the \`nextCursor\` of another page of templates, as it came, got ${shown(cursor)}.`,
  );
}
