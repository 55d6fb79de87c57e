/** Items that user code may write with the role of its worker, and that no worker of ours writes. */
import { type NativeAttributeValue, NumberValue } from '@aws-sdk/lib-dynamodb';
import { partitionOf, partitionsOf } from '../core/jobs/id.ts';
import { queuedJob } from './jobs/queued-job.ts';

export type Item = Readonly<Record<string, NativeAttributeValue>>;

/** A text that must be in no log and in no answer. */
export const CANARY = 'canary-2f0c8b71';

/** A number that neither a JavaScript number nor a BigInt holds: the SDK throws when it reads it. */
const HUGE = NumberValue.from('123456789012345678901.5');

const otherPartition = (key: { endpoint: string; id: string }) =>
  partitionsOf(key.endpoint).find((partition) => partition !== partitionOf(key)) ?? '';

/** Items of the jobs table, by what is wrong with them; `id` names each. */
export const junkJobs = {
  'is empty': (endpoint, id) => ({ partition: partitionOf({ endpoint, id }), id }),
  'has a status alone': (endpoint, id) => ({ partition: partitionOf({ endpoint, id }), id, status: 'IN_QUEUE' }),
  'has a status that is none': (endpoint, id) => ({ ...jobItem(endpoint, id), status: CANARY }),
  'names another endpoint': (endpoint, id) => ({ ...jobItem(endpoint, id), endpoint: 'other' }),
  'lies in another partition': (endpoint, id) => ({
    ...jobItem(endpoint, id),
    partition: otherPartition({ endpoint, id }),
  }),
  'has a number that JavaScript has not': (endpoint, id) => ({ ...jobItem(endpoint, id), queuedAt: HUGE }),
  'has a time that no calendar has': (endpoint, id) => ({ ...jobItem(endpoint, id), acceptedAt: 9e15 }),
  'has a time below zero': (endpoint, id) => ({ ...jobItem(endpoint, id), queueDeadline: -1 }),
  'has text in place of a number': (endpoint, id) => ({ ...jobItem(endpoint, id), generation: CANARY }),
} satisfies Readonly<Record<string, (endpoint: string, name: string) => Item>>;

/** A job that waits, as it is stored. */
export function jobItem(endpoint: string, id: string): Item {
  const { endpoint: _, ...fields } = queuedJob(Date.now());
  return { ...fields, id, partition: partitionOf({ endpoint, id }) };
}

/** Items of the workers table, by what is wrong with them. */
export const junkLeases = {
  'is empty': (endpoint, worker) => ({ endpoint, worker }),
  'names no jobs': (endpoint, worker) => ({ endpoint, worker, endsAt: 1, removeAfter: 1 }),
  'ends with a number that JavaScript has not': (endpoint, worker) => ({
    endpoint,
    worker,
    jobs: [],
    endsAt: HUGE,
    removeAfter: 1,
  }),
  'names more jobs than a worker can have': (endpoint, worker) => ({
    endpoint,
    worker,
    jobs: Array.from({ length: 1_000 }, () => CANARY),
    endsAt: 1,
    removeAfter: 1,
  }),
} satisfies Readonly<Record<string, (endpoint: string, name: string) => Item>>;

/** An item before and after the end of a job with a webhook. It is no job, and the pipe starts a delivery for it. */
export function junkEnding(endpoint: string, id: string): [before: Item, after: Item] {
  const { acceptedAt: _, ...item } = jobItem(endpoint, id);
  const webhook = { inline: 'http://127.0.0.1:1/never' };
  return [
    { ...item, status: 'IN_PROGRESS' },
    { ...item, status: 'COMPLETED', webhook },
  ];
}
