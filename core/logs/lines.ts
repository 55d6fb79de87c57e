/** Which of the lines that a worker printed are a job's. */
import * as z from 'zod/mini';
import { JOB_ID } from '../jobs/id.ts';
import { logLimits } from '../limits.ts';
import type { LogLine, LogSource } from './store.ts';

/** The line says whose it is, or it was printed while the job had the worker for itself. */
export type Chosen = 'JOB_ID' | 'TIME';

export interface JobLine extends LogLine {
  readonly source: LogSource;
  readonly chosenBy: Chosen;
}

const jobId = z.string().check(z.regex(JOB_ID));
/** How our SDK and the agent name the job of a line, and how the original's SDK does. */
const labelSchema = z.object({ jobId: z.optional(jobId), requestId: z.optional(jobId) });
const agentSchema = z.object({ timestamp: z.iso.datetime() });

function parse(message: string): unknown {
  if (!message.startsWith('{')) return undefined;
  try {
    return JSON.parse(message);
  } catch {
    return undefined;
  }
}

function labelOf(message: string): string | undefined {
  const { data } = z.safeParse(labelSchema, parse(message));
  return data?.jobId ?? data?.requestId;
}

/** A line that names another job as its own is that job's, whenever it was printed. */
function chosenBy(id: string, { time, message }: LogLine, alone: readonly Span[]): Chosen | undefined {
  const label = labelOf(message);
  if (label !== undefined) return label === id ? 'JOB_ID' : undefined;
  if (message.includes(id)) return 'JOB_ID';
  return alone.some(({ from, to }) => from <= time && time < to) ? 'TIME' : undefined;
}

/** @param alone when the job had the worker for itself */
export function linesOfJob(
  id: string,
  source: LogSource,
  lines: readonly LogLine[],
  alone: readonly Span[] = [],
): JobLine[] {
  return lines.flatMap((line) => {
    const chosen = chosenBy(id, line, alone);
    return chosen ? [{ ...line, source, chosenBy: chosen }] : [];
  });
}

/** Lines of the agent by when they were written, which they say: what its worker prints follows some of them closely. */
export function writtenLines(lines: readonly LogLine[]): LogLine[] {
  const written = lines.map((line) => {
    const { data } = z.safeParse(agentSchema, parse(line.message));
    return data ? { ...line, time: Date.parse(data.timestamp) } : line;
  });
  return written.sort((one, other) => one.time - other.time);
}

/** What lines of the agent say of held jobs. */
export const holdsIn = (lines: readonly LogLine[]): Hold[] =>
  lines.flatMap(({ time, message }) => {
    const { data } = z.safeParse(holdFields, parse(message));
    return data ? [{ ...data, time }] : [];
  });

/** A line as clients get it, as JSON text; a giant one is cut. */
export function lineText({ time, source, chosenBy: by, message }: JobLine): string {
  const isCut = message.length > logLimits.message;
  return JSON.stringify({
    time: new Date(time).toISOString(),
    source,
    chosenBy: by,
    message: isCut ? message.slice(0, logLimits.message) : message,
    ...(isCut && { truncated: true }),
  });
}

/**
 * What the agent's log says of the jobs that its worker holds. These lines tell which job has the worker for itself, and
 * from when to when: what its container prints then, though the container does not know of jobs, is that job's.
 *
 * The fields of a line that says that a job is held from now on, or no more. A job is held before the container has it.
 */
export const holdFields = z.object({
  jobId: z.string(),
  holds: z.boolean(),
  /** How many jobs the worker holds from now on. */
  held: z.number(),
});
export type HoldFields = z.infer<typeof holdFields>;

export interface Hold extends HoldFields {
  /** Milliseconds since the epoch, by the agent's clock. */
  readonly time: number;
}

/** From `from` on, and before `to`; in milliseconds since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Tenure {
  /** When the worker held the job and no other. */
  readonly alone: readonly Span[];
  /** When it let go of the job, if it has. */
  readonly endedAt?: number;
}

/**
 * When the worker was a job's alone, by what its agent has said since the job was taken.
 * @param holds in the order of time
 * @param until when the job is known to be held at the latest, where the agent has not said that it is not
 */
export function tenureOf(jobId: string, holds: readonly Hold[], until: number): Tenure {
  const alone: Span[] = [];
  let isHeld = false;
  let since: number | undefined;
  for (const hold of holds) {
    if (since !== undefined) alone.push({ from: since, to: hold.time });
    if (hold.jobId === jobId) isHeld = hold.holds;
    since = isHeld && hold.held === 1 ? hold.time : undefined;
    if (hold.jobId === jobId && !hold.holds) return { alone, endedAt: hold.time };
  }
  if (since !== undefined) alone.push({ from: since, to: until });
  return { alone };
}
