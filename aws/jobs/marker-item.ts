/**
 * Markers of purges in the jobs table: one item in each partition, which each purge replaces. Its key sorts before the
 * ids of all jobs, so lists of jobs by id do not contain it.
 */
import * as z from 'zod/mini';
import { endpointOf } from '../../core/jobs/id.ts';
import type { PurgeMarker } from '../../core/jobs/job.ts';
import { type Read, readItem } from '../readable.ts';

/** No job id contains `#`. */
const MARKER_ID = '#purge';

const markerSchema = z.object({ partition: z.string(), generation: z.int().check(z.gte(0)) });

export const isMarkerItem = ({ id }: Readonly<Record<string, unknown>>): boolean => id === MARKER_ID;

/**
 * Returns the item that stores the marker of a purge.
 * @param removeAfter when DynamoDB may remove the item, in seconds since the epoch
 */
export const markerItem = ({ partition, generation }: Omit<PurgeMarker, 'endpoint'>, removeAfter: number) => ({
  partition,
  id: MARKER_ID,
  generation,
  removeAfter,
});

export function readMarker(item: Readonly<Record<string, unknown>>): Read<PurgeMarker> {
  const read = readItem(markerSchema, item);
  return 'value' in read ? { value: { ...read.value, endpoint: endpointOf(read.value.partition) } } : read;
}
