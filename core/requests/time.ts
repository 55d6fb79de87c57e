/** Reads the dates and times of requests, and writes those of responses. */
import * as z from 'zod/mini';

/** Form of a date, or of a time in UTC. */
export const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z)?$/;
export const timeExamples = 'a date such as 2030-01-31, or a time such as 2030-01-31T12:00Z';

/** Returns milliseconds since the epoch, or undefined if the string is not a date or a time in UTC. */
export function timeFrom(value: string): number | undefined {
  const time = TIME.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time)) return undefined;
  // `Date.parse` reads 31 February as 3 March.
  const [day = ''] = value.split('T');
  return new Date(time).toISOString().startsWith(day) ? time : undefined;
}

const timeMust = `must be ${timeExamples}`;

/** Schema of a date or a time in UTC. */
export const timeSchema = z.string(timeMust).check(z.refine((value) => timeFrom(value) !== undefined, timeMust));

/** Returns a time in milliseconds since the epoch in ISO 8601. */
export const isoTime = (time: number): string => new Date(time).toISOString();
