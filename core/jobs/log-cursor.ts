/** Where the lines of a job go on. */
import { cursorOf, positionIn } from '../cursor.ts';
import type { QueryValue } from '../validation.ts';
import type { JobKey } from './job.ts';

/** After so many of the lines of this time; in milliseconds since the epoch. */
export interface LogPosition {
  readonly time: number;
  readonly skip: number;
}

const POSITION = /^\d{1,15}\.\d{1,9}$/;

const listOf = ({ endpoint, id }: JobKey) => `job ${id} of ${endpoint}`;

export const logCursorOf = (key: JobKey, { time, skip }: LogPosition): string =>
  cursorOf(listOf(key), `${time}.${skip}`);

/** @throws InvalidRequest if it is no cursor of this job */
export function logPositionIn(key: JobKey, cursor: QueryValue): LogPosition {
  const [time, skip] = positionIn(listOf(key), cursor, POSITION).split('.');
  return { time: Number(time), skip: Number(skip) };
}
