/** Where the lines of a job go on: clients hand it back as they got it. */
import { createHash } from 'node:crypto';
import { InvalidRequest } from '../errors.ts';
import { type QueryValue, shown } from '../validation.ts';
import type { JobKey } from './job.ts';

/** After so many of the lines of this time; in milliseconds since the epoch. */
export interface LogPosition {
  readonly time: number;
  readonly skip: number;
}

const CURSOR = /^(?<time>\d{1,15})\.(?<skip>\d{1,9})\.[\w-]{12}$/;
const CHECK_LENGTH = 12;

/** Not a secret: it tells a cursor that was cut, changed or meant for another job from one of ours. */
const checkOf = ({ endpoint, id }: JobKey, position: string) =>
  createHash('sha256').update(`${endpoint} ${id} ${position}`).digest('base64url').slice(0, CHECK_LENGTH);

export function logCursorOf(key: JobKey, { time, skip }: LogPosition): string {
  const position = `${time}.${skip}`;
  return Buffer.from(`${position}.${checkOf(key, position)}`).toString('base64url');
}

/** @throws InvalidRequest if it is no cursor of this job */
export function logPositionIn(key: JobKey, cursor: QueryValue): LogPosition {
  if (typeof cursor === 'string') {
    const { time, skip } = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.groups ?? {};
    const position = { time: Number(time), skip: Number(skip) };
    if (time !== undefined && logCursorOf(key, position) === cursor) return position;
  }
  throw new InvalidRequest(
    `\`cursor\` must be the \`nextCursor\` of another page of job \`${key.id}\`, as it came, got ${shown(cursor)}.`,
  );
}
