/** Counts of jobs, and how a change of one job changes them. */
import * as z from 'zod/mini';
import type { Job, JobStatus } from '../jobs/job.ts';

export const counterNames = ['inQueue', 'lowInQueue', 'inProgress', 'completed', 'failed', 'retried'] as const;
export type Counter = (typeof counterNames)[number];

/**
 * Numbers of jobs, or changes of such numbers. `inQueue` counts all that wait and `lowInQueue` those of low priority
 * among them; TIMED_OUT counts as failed, CANCELLED as nothing; `retried` counts rescues.
 */
export const tallySchema = z.object(
  Object.fromEntries(counterNames.map((name) => [name, z._default(z.number(), 0)])) as Record<
    Counter,
    z.ZodMiniDefault<z.ZodMiniNumber<number>>
  >,
);
export type Tally = Readonly<Record<Counter, number>>;

/** A change, and the place of its record in the stream: texts that sort as the stream does. */
export interface SequencedTally {
  readonly sequence: string;
  readonly tally: Tally;
}

export const noTally: Tally = { inQueue: 0, lowInQueue: 0, inProgress: 0, completed: 0, failed: 0, retried: 0 };

const combine = (a: Tally, b: Tally, number: (left: number, right: number) => number): Tally => {
  const entries = counterNames.map((name) => [name, number(a[name], b[name])]);
  return Object.fromEntries(entries) as Record<Counter, number>;
};

export const plus = (a: Tally, b: Tally): Tally => combine(a, b, (left, right) => left + right);
export const minus = (a: Tally, b: Tally): Tally => combine(a, b, (left, right) => left - right);

export const sumOf = (tallies: readonly Tally[]): Tally => tallies.reduce(plus, noTally);
export const isEqual = (a: Tally, b: Tally): boolean => counterNames.every((name) => a[name] === b[name]);

const countedAs: Readonly<Record<JobStatus, Counter | undefined>> = {
  IN_QUEUE: 'inQueue',
  IN_PROGRESS: 'inProgress',
  COMPLETED: 'completed',
  FAILED: 'failed',
  TIMED_OUT: 'failed',
  CANCELLED: undefined,
};

/** One job in numbers. */
export function tallyOf(job: Job): Tally {
  const counter = countedAs[job.status];
  return {
    ...noTally,
    ...(counter && { [counter]: 1 }),
    lowInQueue: job.status === 'IN_QUEUE' && job.lowPriority ? 1 : 0,
    retried: job.rescues,
  };
}

/** A job before and after a change; neither is there before it is stored, or after it is removed. */
export interface JobChange {
  readonly sequence: string;
  readonly before?: Job;
  readonly after?: Job;
}

/** The finished jobs of an endpoint are counted for ever: when DynamoDB's time-to-live removes one, it stays counted. */
const isTidied = ({ before, after }: JobChange) =>
  after === undefined && before !== undefined && 'finishedAt' in before;

export function changeOf(change: JobChange): Tally {
  if (isTidied(change)) return noTally;
  const [before, after] = [change.before, change.after].map((job) => (job ? tallyOf(job) : noTally));
  return minus(after ?? noTally, before ?? noTally);
}
