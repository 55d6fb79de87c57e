/** The only shard of a table's stream. */
import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { type StreamRecord, streamRecord } from './record.ts';

export interface StreamReader {
  readonly shardId: string;
  /** Returns the next records, oldest first; empty if there are none yet. */
  read(limit: number): Promise<readonly StreamRecord[]>;
}

/** Opens the stream of a table for a reader that gets the records after the position. */
export type OpenStream = (streamArn: string, position: number) => Promise<StreamReader>;

/** Limit of GetRecords. */
const LONGEST_READ = 1_000;

export const tableOf = (streamArn: string): string => streamArn.split('/')[1] ?? '';

export const openStreamOf =
  (client: DynamoDBStreamsClient): OpenStream =>
  async (StreamArn, position) => {
    const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn }));
    const ShardId = StreamDescription?.Shards?.[0]?.ShardId ?? '';
    const place = { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: String(position) } as const;
    let { ShardIterator } = await client.send(new GetShardIteratorCommand({ StreamArn, ShardId, ...place }));
    return {
      shardId: ShardId,
      async read(limit) {
        const Limit = Math.min(limit, LONGEST_READ);
        const { Records = [], NextShardIterator } = await client.send(new GetRecordsCommand({ ShardIterator, Limit }));
        ShardIterator = NextShardIterator;
        return Records.map((record) => streamRecord(record, StreamArn));
      },
    };
  };

/** Returns the position of the newest record. */
export async function newestPosition(open: OpenStream, streamArn: string): Promise<number> {
  const reader = await open(streamArn, 0);
  let newest = 0;
  for (;;) {
    const records = await reader.read(LONGEST_READ);
    newest = records.at(-1)?.position ?? newest;
    if (records.length === 0) return newest;
  }
}
