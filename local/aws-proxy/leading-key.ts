/** The partition that a query reads. */
import type { AttributeValue } from './dynamodb.ts';

export interface QueryInput {
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, AttributeValue>>;
}

/** `name = :value`, where the name may be a placeholder; comparisons such as `<=` do not match. */
const EQUALITY = /(?<name>#?\w+)\s*=\s*(?<value>:\w+)/g;

/** The value that the partition key must equal; DynamoDB takes no other condition on it. */
export function leadingKeyOf(input: QueryInput, partition: string): AttributeValue | undefined {
  const { KeyConditionExpression = '', ExpressionAttributeNames = {}, ExpressionAttributeValues = {} } = input;
  for (const { groups } of KeyConditionExpression.matchAll(EQUALITY)) {
    const { name = '', value = '' } = groups ?? {};
    if ((ExpressionAttributeNames[name] ?? name) === partition) return ExpressionAttributeValues[value];
  }
  return undefined;
}
