/** Where the lines of a job go on. */
import { decodeCursor, encodeCursor } from '../cursor.ts';
import { InvalidRequest } from '../errors.ts';
import { type QueryValue, shown } from '../validation.ts';
import type { JobKey } from './job.ts';

/** After so many of the lines of this time; in milliseconds since the epoch. */
export interface LogPosition {
  readonly time: number;
  readonly skip: number;
}

const POSITION = /^(?<time>\d{1,15})\.(?<skip>\d{1,9})$/;

const listOf = ({ endpoint, id }: JobKey) => `${endpoint} ${id}`;

export const logCursorOf = (key: JobKey, { time, skip }: LogPosition): string =>
  encodeCursor(listOf(key), `${time}.${skip}`);

/** @throws InvalidRequest if it is no cursor of this job */
export function logPositionIn(key: JobKey, cursor: QueryValue): LogPosition {
  const { time, skip } = POSITION.exec(decodeCursor(listOf(key), cursor) ?? '')?.groups ?? {};
  if (time !== undefined) return { time: Number(time), skip: Number(skip) };
  throw new InvalidRequest(
    `\`cursor\` must be the \`nextCursor\` of another page of job \`${key.id}\`, as it came, got ${shown(cursor)}.`,
  );
}
