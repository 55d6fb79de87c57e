/** Selects the lines of a job from the lines that its worker printed. */
import * as z from 'zod/mini';
import { JOB_ID } from '../jobs/id.ts';
import { lineMembers } from './pages.ts';
import type { LogLine, LogSource } from './store.ts';

/** Reason for the selection: the line contains the job id, or the worker held no other job at that time. */
export type Chosen = 'JOB_ID' | 'TIME';

export interface JobLine extends LogLine {
  readonly source: LogSource;
  readonly chosenBy: Chosen;
}

const jobId = z.string().check(z.regex(JOB_ID));
/**
 * Members of a line that contain its job id: `jobId` in lines of our SDK and the agent, `requestId` of RunPod's
 * SDK.
 */
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

/**
 * Returns why the line belongs to the job, or undefined if it does not. A line that names another job never belongs
 * to this job.
 */
function chosenBy(id: string, { time, message }: LogLine, alone: readonly Span[]): Chosen | undefined {
  const label = labelOf(message);
  if (label !== undefined) return label === id ? 'JOB_ID' : undefined;
  if (message.includes(id)) return 'JOB_ID';
  return alone.some(({ from, to }) => from <= time && time < to) ? 'TIME' : undefined;
}

/**
 * Returns the lines of a job.
 * @param alone when the worker held no other job
 */
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

/**
 * Sorts lines of the agent by the time in their text, which is exact enough to order them with lines of the
 * worker.
 */
export function writtenLines(lines: readonly LogLine[]): LogLine[] {
  const written = lines.map((line) => {
    const { data } = z.safeParse(agentSchema, parse(line.message));
    return data ? { ...line, time: Date.parse(data.timestamp) } : line;
  });
  return written.sort((one, other) => one.time - other.time);
}

/** Returns the lines of the agent about held jobs. */
export const holdsIn = (lines: readonly LogLine[]): Hold[] =>
  lines.flatMap(({ time, message }) => {
    const { data } = z.safeParse(holdFields, parse(message));
    return data ? [{ ...data, time }] : [];
  });

/** Returns a line as JSON text for clients. */
export const lineText = ({ source, chosenBy: by, ...line }: JobLine): string =>
  JSON.stringify({ ...lineMembers(line), source, chosenBy: by });

/**
 * Fields of the agent's line when it begins or stops holding a job. They show when a worker held only one job, to
 * which all lines of its container then belong. The agent holds a job before the container receives it.
 */
export const holdFields = z.object({
  jobId: z.string(),
  holds: z.boolean(),
  /** Number of jobs that the worker now holds. */
  held: z.number(),
});
export type HoldFields = z.infer<typeof holdFields>;

export interface Hold extends HoldFields {
  /** Milliseconds since the epoch, from the agent's clock. */
  readonly time: number;
}

/** The time from `from` (inclusive) to `to` (exclusive), in milliseconds since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Tenure {
  /** When the worker held only this job. */
  readonly alone: readonly Span[];
  /** When the worker released the job, if it has. */
  readonly endedAt?: number;
}

/**
 * Returns when the worker held only this job, according to the agent's lines since the job was taken.
 * @param holds sorted by time
 * @param until the end of the last span, if the agent has not released the job
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
