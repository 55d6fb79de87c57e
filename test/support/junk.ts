/** Invalid items that user code can write with the role of its worker. */
import { type NativeAttributeValue, NumberValue } from '@aws-sdk/lib-dynamodb';
import { partitionOf, partitionsOf } from '../../core/jobs/id.ts';
import { queuedJob } from '../jobs/queued-job.ts';

export type Item = Readonly<Record<string, NativeAttributeValue>>;

/** A string that must not be in a log or a response. */
export const CANARY = 'canary-2f0c8b71';

/** A number that is neither a JavaScript number nor a BigInt, so that the SDK throws when it reads it. */
const HUGE = NumberValue.from('123456789012345678901.5');

const otherPartition = (key: { endpoint: string; id: string }) =>
  partitionsOf(key.endpoint).find((partition) => partition !== partitionOf(key)) ?? '';

/** Invalid items of the jobs table by their error. */
export const junkJobs = {
  'is empty': (endpoint, id) => ({ partition: partitionOf({ endpoint, id }), id }),
  'has only a status': (endpoint, id) => ({ partition: partitionOf({ endpoint, id }), id, status: 'IN_QUEUE' }),
  'has an unknown status': (endpoint, id) => ({ ...jobItem(endpoint, id), status: CANARY }),
  'names another endpoint': (endpoint, id) => ({ ...jobItem(endpoint, id), endpoint: 'other' }),
  'is in another partition': (endpoint, id) => ({
    ...jobItem(endpoint, id),
    partition: otherPartition({ endpoint, id }),
  }),
  'has a number that JavaScript cannot represent': (endpoint, id) => ({ ...jobItem(endpoint, id), queuedAt: HUGE }),
  'has a time outside the range of dates': (endpoint, id) => ({ ...jobItem(endpoint, id), acceptedAt: 9e15 }),
  'has a time below zero': (endpoint, id) => ({ ...jobItem(endpoint, id), queueDeadline: -1 }),
  'has a string instead of a number': (endpoint, id) => ({ ...jobItem(endpoint, id), generation: CANARY }),
} satisfies Readonly<Record<string, (endpoint: string, name: string) => Item>>;

/** Returns a waiting job as a stored item. */
export function jobItem(endpoint: string, id: string): Item {
  const { endpoint: _, ...fields } = queuedJob(Date.now());
  return { ...fields, id, partition: partitionOf({ endpoint, id }) };
}

/** Invalid items of the workers table by their error. */
export const junkLeases = {
  'is empty': (endpoint, worker) => ({ endpoint, worker }),
  'names no jobs': (endpoint, worker) => ({ endpoint, worker, endsAt: 1, removeAfter: 1 }),
  'has an end that JavaScript cannot represent': (endpoint, worker) => ({
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

/**
 * Returns an invalid item before and after the end of a job with a webhook, for which the pipe starts a delivery.
 */
export function junkEnding(endpoint: string, id: string): [before: Item, after: Item] {
  const { acceptedAt: _, ...item } = jobItem(endpoint, id);
  const webhook = { inline: 'http://127.0.0.1:1/never' };
  return [
    { ...item, status: 'IN_PROGRESS' },
    { ...item, status: 'COMPLETED', webhook },
  ];
}
