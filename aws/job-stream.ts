/** Reads the stream of the jobs table as Lambda hands it over. */
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Job } from '../core/jobs/job.ts';
import type { JobChange } from '../core/ledger/tally.ts';
import { jobFrom } from './job-item.ts';

type Image = Parameters<typeof unmarshall>[0];

/** A record of the stream, as far as it says what changed. */
export interface StreamRecord {
  readonly dynamodb?: {
    readonly SequenceNumber?: string;
    readonly OldImage?: unknown;
    readonly NewImage?: unknown;
  };
}

/** Sequence numbers have up to 40 digits and no leading zeros; with them, texts sort as numbers do. */
const SEQUENCE_LENGTH = 40;

const jobIn = (image: unknown): Job | undefined => (image ? jobFrom(unmarshall(image as Image)) : undefined);

/** @throws if an image is no job */
export function changesFrom(records: readonly StreamRecord[]): JobChange[] {
  return records.map(({ dynamodb: { SequenceNumber = '', OldImage, NewImage } = {} }) => ({
    sequence: SequenceNumber.padStart(SEQUENCE_LENGTH, '0'),
    before: jobIn(OldImage),
    after: jobIn(NewImage),
  }));
}
