/** Size of a job's item, whose writes cost one unit each as long as it has at most 1 KB. */
import { LATEST, payloadLimits, policyLimits } from '../limits.ts';
import { partitionOf } from './id.ts';
import type { Job, PayloadRef } from './job.ts';

/** Bytes of one write unit. */
export const WRITE_UNIT = 1_024;

/** DynamoDB stores a map with 3 bytes, and 1 byte for each element. */
const MAP = 3;

/**
 * Returns the bytes of a value as DynamoDB counts them. A number takes one byte for each two of its digits, and another
 * one.
 */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 1;
  if (typeof value !== 'object' || value === null) return 1;
  const elements = Object.values(value).filter((element) => element !== undefined);
  return MAP + elements.length + itemBytes({ ...value });
}

/** Returns the bytes of an item, whose values are no lists: its names and values. */
export const itemBytes = (item: Readonly<Record<string, unknown>>): number =>
  Object.entries(item).reduce(
    (sum, [name, value]) => (value === undefined ? sum : sum + Buffer.byteLength(name) + bytesOf(value)),
    0,
  );

type Fields = Pick<Job, 'endpoint' | 'id'> & Readonly<Record<string, unknown>>;

/** Returns the bytes of the item in which the jobs table stores a job. */
export const jobBytes = ({ endpoint, ...job }: Fields): number =>
  itemBytes({ partition: partitionOf({ endpoint, id: job.id }), ...job });

/** The longest location of a payload that is not stored in the job's item. */
export const elsewhere = { stored: 'progress#1000', bytes: payloadLimits.item } as const satisfies PayloadRef;

/** The members of an accepted job that has ended, each with its longest value. */
const maxEnd = {
  attempt: 100,
  attemptLimit: 100,
  rescues: 100,
  retries: 100,
  worker: '0'.repeat(32),
  revision: 100_000,
  startedAt: LATEST - 1,
  executionDeadline: LATEST - 1,
  aggregates: true,
  finishedAt: LATEST - 1,
  expiresAt: LATEST - 1,
  chunks: 100_000,
  workerTime: policyLimits.executionTimeout.max,
  code: 'RESULT_NOT_REPORTED',
  output: elsewhere,
  error: elsewhere,
} as const;

/** Bytes of the attribute `status` with its longest value. */
const STATUS_BYTES = 'status'.length + 'IN_PROGRESS'.length;

/** Bytes of the name of a payload in the item, and of the map that contains its text. */
const wrapping = (name: string) => itemBytes({ [name]: { inline: '' } });

const within = (left: number, max: number) => Math.max(0, Math.min(left, max));

/**
 * Returns the maximum bytes of a payload that is stored in the item of a new job, so that the item still has at most one
 * write unit when the job has ended.
 * @param job members of the job, with its other payloads
 * @param max maximum bytes, if there is space for more
 */
export const inlineAtSubmission = (job: Fields, name: 'input' | 'webhook', max: number): number =>
  within(WRITE_UNIT - STATUS_BYTES - jobBytes({ ...job, ...maxEnd }) - wrapping(name), max);

/**
 * Returns whether the item of a new job has at most one write unit when the job has ended, if its input and its output
 * are objects, whose locations contain the names of endpoint and job.
 */
export function fitsWithObjects(job: Fields): boolean {
  const object = { object: `99/${job.endpoint}/${job.id}/output#100`, bytes: payloadLimits.output };
  const ended = { ...job, webhook: elsewhere, ...maxEnd, input: object, output: object };
  return STATUS_BYTES + jobBytes(ended) <= WRITE_UNIT;
}

/**
 * Returns the maximum bytes of an output or error that is stored in the item of a job.
 * @param beside members that the same write adds
 */
export const inlineAtEnd = (
  job: Job,
  name: 'output' | 'error',
  beside: Readonly<Record<string, unknown>> = {},
): number =>
  within(WRITE_UNIT - jobBytes({ ...job, ...beside, [name]: undefined }) - wrapping(name), payloadLimits.inline);

/** The members that the end of a job adds, without its payloads. */
export const endMembers = (chunks: number | undefined) => ({
  finishedAt: LATEST - 1,
  expiresAt: LATEST - 1,
  chunks,
  workerTime: maxEnd.workerTime,
});

/**
 * Returns whether the item of a job that ends has at most one write unit. With the longest names and no payload in the
 * item, the worker time does not fit.
 * @param end members that the end adds
 */
export const fitsAtEnd = (job: Job, end: Readonly<Record<string, unknown>>): boolean =>
  jobBytes({ ...job, ...end }) <= WRITE_UNIT;

/** The members that a failure adds to those of each end, with its error outside of the item. */
export const failureMembers = { code: maxEnd.code, error: elsewhere } as const;
