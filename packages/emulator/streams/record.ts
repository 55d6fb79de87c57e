/** Stream records in the format in which Lambda passes them to a function. */
import { hash } from 'node:crypto';
import { account } from '../account.ts';

export interface StreamRecord {
  /** Position in the stream, in ascending order. */
  readonly position: number;
  /** Milliseconds since the epoch; in AWS, whole seconds. */
  readonly createdAt: number;
  /** The record that the function gets. */
  readonly event: Readonly<Record<string, unknown>> & {
    readonly dynamodb: Readonly<Record<string, unknown>> & { readonly SequenceNumber: string };
  };
}

/** A record as dynoxide stores it. Keys and images are JSON in the format of DynamoDB's HTTP interface. */
export interface StoredRecord {
  readonly eventName: string;
  readonly keys: string;
  readonly newImage: string | null;
  readonly oldImage: string | null;
  readonly sequenceNumber: string;
  /** Seconds since the epoch. */
  readonly createdAt: number;
  readonly userIdentity: string | null;
}

/**
 * Offset that gives sequence numbers at least 21 digits, as in AWS, so that code fails on this machine if it parses
 * them as JavaScript numbers or compares their lengths.
 */
const OFFSET = 10n ** 20n;
export const sequenceNumber = (position: number): string => String(OFFSET + BigInt(position));

const parsed = (json: string) => JSON.parse(json) as object;

export function streamRecord(stored: StoredRecord, streamArn: string, viewType: string): StreamRecord {
  const { eventName, keys, newImage, oldImage, createdAt, userIdentity } = stored;
  const position = Number(stored.sequenceNumber);
  const texts = [keys, newImage ?? '', oldImage ?? ''];
  return {
    position,
    createdAt: createdAt * 1_000,
    event: {
      eventID: hash('md5', `${streamArn}#${position}`),
      eventName,
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: account.region,
      dynamodb: {
        ApproximateCreationDateTime: createdAt,
        Keys: parsed(keys),
        ...(newImage !== null && { NewImage: parsed(newImage) }),
        ...(oldImage !== null && { OldImage: parsed(oldImage) }),
        SequenceNumber: sequenceNumber(position),
        SizeBytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
        StreamViewType: viewType,
      },
      ...(userIdentity !== null && { userIdentity: parsed(userIdentity) }),
      eventSourceARN: streamArn,
    },
  };
}
