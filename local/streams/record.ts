/** Stream records in the format in which Lambda passes them to a function. */
import { createHash } from 'node:crypto';
import type { _Record } from '@aws-sdk/client-dynamodb-streams';
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

/**
 * Offset that gives sequence numbers at least 21 digits, as in AWS, so that code fails on this machine if it parses
 * them as JavaScript numbers or compares their lengths.
 */
const OFFSET = 10n ** 20n;
export const sequenceNumber = (position: number): string => String(OFFSET + BigInt(position));

/** The only identity in records. The emulator spells its members as Lambda does, so the SDK cannot read them. */
const SERVICE = { type: 'Service', principalId: 'dynamodb.amazonaws.com' };

/** Converts attribute values to JSON, with binary values in base64. */
export function plain(value: object): Readonly<Record<string, unknown>> {
  const member = (item: unknown): unknown => {
    if (item instanceof Uint8Array) return Buffer.from(item).toString('base64');
    if (Array.isArray(item)) return item.map(member);
    return typeof item === 'object' && item !== null ? plain(item) : item;
  };
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, member(item)]));
}

export function streamRecord(record: _Record, streamArn: string): StreamRecord {
  const { SequenceNumber, ApproximateCreationDateTime, ...change } = record.dynamodb ?? {};
  const position = Number(SequenceNumber);
  const createdAt = ApproximateCreationDateTime?.getTime() ?? 0;
  const eventID = createHash('md5').update(`${streamArn}#${position}`).digest('hex');
  return {
    position,
    createdAt,
    event: {
      eventID,
      eventName: record.eventName,
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: account.region,
      dynamodb: {
        ApproximateCreationDateTime: createdAt / 1000,
        ...plain(change),
        SequenceNumber: sequenceNumber(position),
      },
      ...(record.userIdentity && { userIdentity: SERVICE }),
      eventSourceARN: streamArn,
    },
  };
}
