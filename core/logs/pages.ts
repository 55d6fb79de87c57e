/** Pages of log lines: how many lines fit into a response, and the cursors of the next pages. */
import { logLimits } from '../limits.ts';
import { cursorOf, positionIn } from '../requests/cursor.ts';
import type { QueryValue } from '../requests/validation.ts';
import type { FoundLines, LogLine } from './store.ts';

/** The position in lines: after the first `skip` lines of `time`, in milliseconds since the epoch. */
export interface LogPosition {
  readonly time: number;
  readonly skip: number;
}

const POSITION = /^\d{1,15}\.\d{1,9}$/;

/**
 * Returns the cursor of a position.
 * @param list name of the lines, such as those of a job, to which the cursor belongs
 */
export const logCursorOf = (list: string, { time, skip }: LogPosition): string => cursorOf(list, `${time}.${skip}`);

/**
 * Returns the position in a cursor.
 * @throws InvalidRequest if the cursor does not belong to this list
 */
export function logPositionIn(list: string, cursor: QueryValue): LogPosition {
  const [time, skip] = positionIn(list, cursor, POSITION).split('.');
  return { time: Number(time), skip: Number(skip) };
}

/** Returns the members of a line that every response has. A very long line is truncated. */
export function lineMembers({ time, message }: LogLine) {
  const isCut = message.length > logLimits.message;
  return {
    time: new Date(time).toISOString(),
    message: isCut ? message.slice(0, logLimits.message).toWellFormed() : message,
    ...(isCut && { truncated: true }),
  };
}

/** Returns as many lines as fit into the response, as JSON texts. */
export function fitting<Line>(lines: readonly Line[], max: number, textOf: (line: Line) => string): string[] {
  const texts: string[] = [];
  let bytes = 0;
  for (const line of lines.slice(0, max)) {
    const text = textOf(line);
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > logLimits.bytes) break;
    texts.push(text);
  }
  return texts;
}

/** Returns the position after this page. The first `skip` lines were returned by an earlier page. */
export function positionAfter(
  position: LogPosition,
  lines: readonly LogLine[],
  given: number,
  { lines: printed, complete }: FoundLines,
): LogPosition {
  const last = lines[position.skip + given - 1];
  if (given > 0 && last) {
    const { time } = last;
    return { time, skip: lines.slice(0, position.skip + given).filter((line) => line.time === time).length };
  }
  const looked = printed.at(-1)?.time;
  if (complete || looked === undefined) return position;
  // None of the lines that were read belongs to the list.
  return { time: looked > position.time ? looked : looked + 1, skip: 0 };
}
