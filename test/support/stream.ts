/** Follows the stream of a table on the emulator. */
import {
  DescribeStreamCommand,
  type _Record as DynamoDBRecord,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
} from '@aws-sdk/client-dynamodb-streams';

/** Reads the records of a table since the last call, the first time those since it was followed. */
export type FollowTable = () => Promise<DynamoDBRecord[]>;

/** Follows the stream of the jobs table. */
export const followJobs = (): Promise<FollowTable> =>
  followTable(new DynamoDBStreamsClient({ endpoint: String(process.env.AWS_ENDPOINT_URL_DYNAMODB) }), 'JOBS_TABLE');

/** Number of records in a full page. A page with fewer records is the last page. */
const FULL_PAGE = 100;

/** Follows the stream of a table, which has one shard on the emulator. */
export async function followTable(streams: DynamoDBStreamsClient, table: string): Promise<FollowTable> {
  const { Streams = [] } = await streams.send(new ListStreamsCommand({ TableName: table }));
  const StreamArn = Streams[0]?.StreamArn;
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
  const ShardId = StreamDescription?.Shards?.[0]?.ShardId;
  // The stream of a table on the emulator still has the records of a deleted table with the same name, which an earlier
  // test file has written.
  const start = new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'LATEST' });
  let { ShardIterator } = await streams.send(start);
  return async () => {
    const records: DynamoDBRecord[] = [];
    for (;;) {
      const page = await streams.send(new GetRecordsCommand({ ShardIterator }));
      ShardIterator = page.NextShardIterator;
      records.push(...(page.Records ?? []));
      if ((page.Records?.length ?? 0) < FULL_PAGE) return records;
    }
  };
}
