/**
 * Counts waiting jobs by their arrival, so that the number of jobs ahead of a job is known without reading them.
 */
import * as z from 'zod/mini';
import type { Job, JobChange } from '../jobs/job.ts';
import { SECOND } from '../limits.ts';

/** Length of a span of time whose arrivals are counted together. */
export const ARRIVAL_SPAN = 10 * SECOND;

/** A queue, whose jobs are served in the order of arrival. A purge ends all queues of a generation. */
export interface QueueName {
  readonly endpoint: string;
  readonly generation: number;
  readonly lowPriority: boolean;
}

/** Changes of the numbers of waiting jobs, by the span of their arrival: `3#low#176372640`. */
export type ArrivalDelta = Readonly<Record<string, number>>;

/** The changes of a batch of the stream, with the last sequence of the batch. */
const arrivalChange = z.object({ sequence: z.string(), arrivals: z.record(z.string(), z.number()) });
export type ArrivalChange = Readonly<z.infer<typeof arrivalChange>>;

/** Stored with the counters, unless the last batch changed nothing. */
export const arrivalChangeSchema = z.optional(arrivalChange);

const priorityOf = (lowPriority: boolean) => (lowPriority ? 'low' : 'normal');

/** Returns a name of the queue that is unique within its endpoint. */
export const queuePrefix = ({ generation, lowPriority }: Omit<QueueName, 'endpoint'>): string =>
  `${generation}#${priorityOf(lowPriority)}`;

/** Returns the span of a time in milliseconds, numbered from the epoch. */
export const spanOf = (time: number): number => Math.floor(time / ARRIVAL_SPAN);

/** Returns the queue and the span of a name in `ArrivalDelta`. */
export function arrivalOf(name: string): { readonly queue: string; readonly span: number } {
  const cut = name.lastIndexOf('#');
  return { queue: name.slice(0, cut), span: Number(name.slice(cut + 1)) };
}

const nameOf = (job: Job | undefined) =>
  job?.status === 'IN_QUEUE' ? `${queuePrefix(job)}#${spanOf(job.queuedAt)}` : undefined;

const one = (name: string | undefined, change: number): ArrivalDelta => (name === undefined ? {} : { [name]: change });

/** Returns the sum of the changes. A job that arrived and left adds nothing. */
export function arrivalsSum(all: readonly ArrivalDelta[]): ArrivalDelta {
  const sums = new Map<string, number>();
  for (const [name, change] of all.flatMap(Object.entries<number>)) sums.set(name, (sums.get(name) ?? 0) + change);
  return Object.fromEntries([...sums].filter(([, change]) => change !== 0));
}

/** Returns the changes of the numbers for a change of one job. */
export const arrivalsOf = ({ before, after }: Pick<JobChange, 'before' | 'after'>): ArrivalDelta =>
  arrivalsSum([one(nameOf(before), -1), one(nameOf(after), 1)]);
