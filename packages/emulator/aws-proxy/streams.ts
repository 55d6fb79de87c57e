/** Describes requests to DynamoDB Streams. */
import { arn } from '../account.ts';
import { AwsFault } from './aws-fault.ts';
import { type Described, unknownOperation } from './described.ts';

interface StreamsInput {
  readonly StreamArn?: string;
  readonly ShardIterator?: string;
}

/** Replaces the Region in a stream ARN, because the emulator uses another Region in its ARNs. */
const ownArn = (streamArn: string) => arn('dynamodb', streamArn.split(':').slice(5).join(':'));
const tableOf = (streamArn: string) => streamArn.split('/')[1] ?? '';

/** Returns the name of the table in an iterator of the emulator. Iterators of AWS contain the stream. */
function tableOfIterator(iterator: string): string | undefined {
  try {
    return (JSON.parse(Buffer.from(iterator, 'base64').toString()) as { table_name?: string }).table_name;
  } catch {
    return undefined;
  }
}

export function createStreams(): (operation: string, input: object) => Described {
  /** Stream ARNs that callers use, by table. */
  const named = new Map<string, string>();

  function streamArn({ StreamArn, ShardIterator = '' }: StreamsInput): string {
    if (StreamArn !== undefined) {
      named.set(tableOf(StreamArn), ownArn(StreamArn));
      return ownArn(StreamArn);
    }
    const known = named.get(tableOfIterator(ShardIterator) ?? '');
    if (known) return known;
    throw new AwsFault(400, 'ExpiredIteratorException', 'The iterator was not issued in this run.');
  }

  return (operation, input) => {
    const action = `dynamodb:${operation}`;
    // The operation has no resource: AWS grants it on `*`.
    if (operation === 'ListStreams') return { accesses: [{ action, resource: '*' }] };
    if (!['DescribeStream', 'GetShardIterator', 'GetRecords'].includes(operation))
      throw unknownOperation('dynamodb streams', operation);
    return { accesses: [{ action, resource: streamArn(input) }] };
  };
}
