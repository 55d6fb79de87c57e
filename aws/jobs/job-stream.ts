import type { Job, JobChange, PurgeMarker } from '../../core/jobs/job.ts';
import { SECOND } from '../../core/limits.ts';
import type { Unreadable } from '../../core/stored-items/unreadable.ts';
import { itemIn } from '../images.ts';
import { jobFrom, readJob, unreadableItem } from './job-item.ts';
import { isMarkerItem, readMarker } from './marker-item.ts';

/** Reads the stream of the jobs table from the events of Lambda. */

/** A record of the stream, with the attributes that describe the change. */
export interface StreamRecord {
  readonly dynamodb?:
    | {
        readonly SequenceNumber?: string | undefined;
        /** Seconds since the epoch in the events of Lambda, and a date in the API of streams. */
        readonly ApproximateCreationDateTime?: number | Date | undefined;
        readonly OldImage?: unknown;
        readonly NewImage?: unknown;
      }
    | undefined;
}

/** An invalid item that was written to the jobs table, and its position in the stream. */
export interface UnreadableChange extends Unreadable {
  readonly sequence: string;
}

export interface Changes {
  readonly changes: JobChange[];
  readonly unreadable: UnreadableChange[];
}

/** Sequence numbers have up to 40 digits and no leading zeros. With leading zeros, strings sort like numbers. */
const SEQUENCE_LENGTH = 40;

/** Returns the position of the record in the stream, in the format of `JobChange`. */
export const sequenceOf = ({ dynamodb }: StreamRecord): string =>
  (dynamodb?.SequenceNumber ?? '').padStart(SEQUENCE_LENGTH, '0');

const jobIn = (image: unknown): Job | undefined => (image ? jobFrom(itemIn(image)) : undefined);

/** The job or the marker after a change, or the reason why it is invalid. */
interface After {
  readonly after?: Job;
  readonly marker?: PurgeMarker;
  readonly unreadable?: UnreadableChange;
}

function readAfter(image: unknown, sequence: string): After {
  if (!image) return {};
  const item = itemIn(image);
  const read = isMarkerItem(item) ? readMarker(item) : readJob(item);
  if ('value' in read) return 'status' in read.value ? { after: read.value } : { marker: read.value };
  return { unreadable: { ...unreadableItem(item, read.reason), sequence } };
}

/**
 * Reads each record separately. The expiry of a purge marker is not a change. An invalid item counts as absent, as it does
 * in lists of jobs, so that the counters match the listed jobs.
 */
export function changesFrom(records: readonly StreamRecord[]): Changes {
  const all = records.map((record) => {
    const { OldImage, NewImage, ApproximateCreationDateTime: at } = record.dynamodb ?? {};
    const sequence = sequenceOf(record);
    const { unreadable, ...after } = readAfter(NewImage, sequence);
    return {
      change: { sequence, ...(typeof at === 'number' && { at: at * SECOND }), before: jobIn(OldImage), ...after },
      unreadable,
    };
  });
  return {
    changes: all.map(({ change }) => change).filter(({ before, after, marker }) => before ?? after ?? marker),
    unreadable: all.map(({ unreadable }) => unreadable).filter((item) => item !== undefined),
  };
}
