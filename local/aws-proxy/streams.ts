/** Describes requests to DynamoDB Streams. */
import { arn } from '../account.ts';
import { AwsFault } from './aws-fault.ts';
import { type Described, unknownOperation } from './described.ts';

interface StreamsInput {
  readonly StreamArn?: string;
  readonly ShardIterator?: string;
}

/** The emulator's ARNs have a region of their own. */
const ownArn = (streamArn: string) => arn('dynamodb', streamArn.split(':').slice(5).join(':'));
const tableOf = (streamArn: string) => streamArn.split('/')[1] ?? '';

/** The emulator's iterators name the table; those of AWS name its stream. */
function tableOfIterator(iterator: string): string | undefined {
  try {
    return (JSON.parse(Buffer.from(iterator, 'base64').toString()) as { table_name?: string }).table_name;
  } catch {
    return undefined;
  }
}

export function createStreams(): (operation: string, input: object) => Described {
  /** Stream ARNs of callers, by table. */
  const named = new Map<string, string>();

  function streamArn({ StreamArn, ShardIterator = '' }: StreamsInput): string {
    if (StreamArn !== undefined) {
      named.set(tableOf(StreamArn), ownArn(StreamArn));
      return ownArn(StreamArn);
    }
    const known = named.get(tableOfIterator(ShardIterator) ?? '');
    if (known) return known;
    throw new AwsFault(400, 'ExpiredIteratorException', 'The iterator was not issued since the start.');
  }

  return (operation, input) => {
    const action = `dynamodb:${operation}`;
    // It has no resource: AWS grants it on `*`.
    if (operation === 'ListStreams') return { accesses: [{ action, resource: '*' }] };
    if (!['DescribeStream', 'GetShardIterator', 'GetRecords'].includes(operation))
      throw unknownOperation('dynamodb streams', operation);
    return { accesses: [{ action, resource: streamArn(input) }] };
  };
}
