import { endpointOf, partitionOf } from '../../core/jobs/id.ts';
import { type Job, type JobKey, jobSchema } from '../../core/jobs/job.ts';
import { LATEST } from '../../core/limits.ts';
import type { Unreadable } from '../../core/stored-items/unreadable.ts';
import { type Read, readItem, valueIn } from '../readable.ts';

export const jobKeyOf = (key: JobKey) => ({ partition: partitionOf(key), id: key.id });

/** Reads an item of the jobs table. An item whose endpoint or id contradicts its partition is not a valid job. */
export function readJob(item: Readonly<Record<string, unknown>>): Read<Job> {
  const { partition, ...fields } = item;
  const endpoint = endpointOf(String(partition));
  if ('endpoint' in fields && fields.endpoint !== endpoint) return { reason: 'endpoint: does not match the partition' };
  const read = readItem(jobSchema, { ...fields, endpoint });
  if (!('value' in read)) return read;
  if (partition !== partitionOf(read.value)) return { reason: 'id: does not belong to the partition' };
  // Workers can write this table, and a time far in the future would keep the job forever.
  const tooLate = Object.entries(read.value).find(([, value]) => typeof value === 'number' && value > LATEST);
  return tooLate ? { reason: `${tooLate[0]}: too_big` } : read;
}

/**
 * Describes an item of the jobs table that is not valid.
 * @param reason as `readJob` or the reader of markers returns it
 */
export function unreadableItem({ partition, id }: Readonly<Record<string, unknown>>, reason: string): Unreadable {
  const itsPartition = String(partition);
  return { table: 'jobs', partition: itsPartition, name: String(id), endpoint: endpointOf(itsPartition), reason };
}

/** Returns the job, or undefined if the item is not a valid job. */
export const jobFrom = (item: Readonly<Record<string, unknown>>): Job | undefined => valueIn(readJob(item));

/** Returns the valid jobs among the items. */
export const jobsIn = (items: readonly Readonly<Record<string, unknown>>[]): Job[] =>
  items.map(jobFrom).filter((job) => job !== undefined);
