/** Lines of a log as text. */
import type { LogLine } from '../api/job-types.ts';

/** A line with its time in UTC and its container; of a line that was cut it says so. */
export const logTexts = (lines: readonly LogLine[]): readonly string[] =>
  lines.map(({ time, source, message, truncated }) => {
    const at = time.slice('2026-01-02T'.length).replace('Z', '');
    return `${at}  ${source.padEnd(6)}  ${message}${truncated ? ' … (the line is longer)' : ''}`;
  });
