/** Formats the lines of a log. */
import type { JobLog, LogLine } from '../api/job-types.ts';
import { linesOf } from '../json/display.ts';

/** Members of a structured line that the page already shows or that are the same in every line. */
const KNOWN = ['timestamp', 'time', 'level', 'message', 'jobId', 'job_id', 'requestId', 'service', 'sampling_rate'];

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Formats a structured line: its message, its level unless that is INFO, DEBUG or TRACE, and its other members. */
function messageOf(line: string): string {
  if (!line.startsWith('{')) return line;
  let parsed: Readonly<Record<string, unknown>>;
  try {
    parsed = JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    return line;
  }
  const { message, level } = parsed;
  if (typeof message !== 'string') return line;
  const mark = typeof level === 'string' && !/^(info|debug|trace)$/i.test(level) ? `${level.toUpperCase()} ` : '';
  const others = Object.entries(parsed).filter(([name]) => !KNOWN.includes(name));
  return `${mark}${message}${others.map(([name, value]) => `  ${name}=${written(value)}`).join('')}`;
}

/** Characters that distinguish the ids of workers. */
const WORKER = 12;

/** A line of a job, or of one of several workers. */
type Line = Omit<LogLine, 'chosenBy'> & { readonly worker?: string };

/** Formats each line with its time in UTC, its worker and its container, and marks truncated lines. */
export const logTexts = (lines: readonly Line[]): readonly string[] =>
  lines.map(({ time, source, worker, message, truncated }) => {
    const at = time.slice('2026-01-02T'.length).replace('Z', '');
    const by = worker === undefined ? '' : `  ${worker.slice(0, WORKER)}`;
    return `${at}${by}  ${source.padEnd(6)}  ${messageOf(message)}${truncated ? ' … (truncated)' : ''}`;
  });

/** A page of a log, with its lines as text. */
export interface LogPage {
  readonly texts: readonly string[];
  readonly workerId?: string | undefined;
  readonly nextCursor?: string | undefined;
}

/** The members of a page, of a job's log or of a worker's. */
type Page = Pick<JobLog, 'lines' | 'nextCursor' | 'workerId'>;

/**
 * Reads a response of `/logs`.
 * @param until time of the last line, in milliseconds since the epoch; the page with a later one is the last
 */
export function logPage(text: string, until = Number.POSITIVE_INFINITY): LogPage {
  const { lines, nextCursor, workerId } = JSON.parse(text) as Page;
  const wanted = lines.filter(({ time }) => Date.parse(time) <= until);
  return { texts: logTexts(wanted), workerId, nextCursor: wanted.length < lines.length ? undefined : nextCursor };
}

export interface FoundLines {
  /** Number of lines of the log. */
  readonly count: number;
  /** What the page shows of them. */
  readonly lines: readonly string[];
}

/** Finds the lines of a log with the text, ignoring case. */
export function logLines(texts: readonly string[], filter: string): FoundLines {
  const wanted = filter.toLowerCase();
  const found = texts.filter((text) => text.toLowerCase().includes(wanted));
  return { count: found.length, lines: found.length === 0 ? [] : linesOf(found.join('\n')) };
}
