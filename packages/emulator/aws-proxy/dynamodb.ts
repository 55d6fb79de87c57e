/** Describes requests to DynamoDB. */
import { arn } from '../account.ts';
import type { Access } from '../iam/evaluate.ts';
import { AwsFault } from './aws-fault.ts';
import { type Described, type ItemKey, type TableKey, type Tables, unknownOperation } from './described.ts';

/** An attribute value, such as `{ "S": "text" }`. The values of all types that a key can have are strings. */
export type AttributeValue = Readonly<Record<string, string>>;
type Attributes = Readonly<Partial<Record<string, AttributeValue>>>;

interface TableInput {
  readonly TableName?: string;
}
interface ItemInput extends TableInput {
  readonly Item?: Attributes;
  readonly Key?: Attributes;
}
interface Transaction {
  readonly TransactItems?: readonly Readonly<Record<string, ItemInput>>[];
}
interface Batch<PerTable> {
  readonly RequestItems?: Readonly<Record<string, PerTable>>;
}
type BatchWrites = readonly { readonly PutRequest?: ItemInput; readonly DeleteRequest?: ItemInput }[];

const invalid = (message: string) => new AwsFault(400, 'ValidationException', message);
const textOf = (value: AttributeValue) => String(Object.values(value)[0]);

function tableArn(name: string | undefined): string {
  if (typeof name !== 'string') throw invalid('The parameter TableName is missing.');
  return arn('dynamodb', `table/${name}`);
}

function keyOf(item: Attributes, { partition, sort }: TableKey): ItemKey {
  const [leading, second] = [item[partition], sort === undefined ? undefined : item[sort]];
  if (!leading) throw invalid('The provided key element does not match the schema');
  return { partition: textOf(leading), ...(second && { sort: textOf(second) }) };
}

/**
 * Describes one action on items of one table. If no template declares the table, the emulator responds that it does
 * not exist.
 */
function onItems(operation: string, name: string | undefined, items: readonly Attributes[], tables: Tables): Described {
  const key = tables.get(name ?? '');
  const keys = key ? items.map((item) => keyOf(item, key)) : [];
  const leading = [...new Set(keys.map(({ partition }) => partition))];
  const access: Access = {
    action: `dynamodb:${operation}`,
    resource: tableArn(name),
    ...(leading.length > 0 && { context: { 'dynamodb:leadingkeys': leading } }),
  };
  return { accesses: [access], keys };
}

const onItem = (operation: string, { TableName, Item, Key }: ItemInput, tables: Tables) =>
  onItems(operation, TableName, [Item ?? Key ?? {}], tables);

interface QueryInput {
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, AttributeValue>>;
}

/** Matches `name = :value`, where the name can be a placeholder; comparisons such as `<=` do not match. */
const EQUALITY = /(?<![#\w])(?<name>#?\w+)\s*=\s*(?<value>:\w+)/g;

/** Returns the value that the partition key must equal; DynamoDB accepts no other condition on a partition key. */
function leadingKeyOf(input: QueryInput, partition: string): AttributeValue | undefined {
  const { KeyConditionExpression = '', ExpressionAttributeNames = {}, ExpressionAttributeValues = {} } = input;
  for (const { groups } of KeyConditionExpression.matchAll(EQUALITY)) {
    const { name = '', value = '' } = groups ?? {};
    if ((ExpressionAttributeNames[name] ?? name) === partition) return ExpressionAttributeValues[value];
  }
  return undefined;
}

const together = (parts: readonly Described[]): Described => ({
  accesses: parts.flatMap(({ accesses }) => accesses),
  keys: parts.flatMap(({ keys = [] }) => keys),
});

/** The action of each item type in a transaction. A transaction as a whole has no action. */
const TRANSACTION_ACTIONS: Readonly<Record<string, string>> = {
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

function inTransaction({ TransactItems = [] }: Transaction, tables: Tables): Described {
  const parts = TransactItems.flatMap((kinds) => Object.entries(kinds));
  return together(
    parts.map(([kind, input]) => {
      const action = TRANSACTION_ACTIONS[kind];
      if (!action) throw invalid(`A transaction cannot contain ${kind}.`);
      return onItem(action, input, tables);
    }),
  );
}

function inBatch<PerTable>(
  operation: string,
  { RequestItems = {} }: Batch<PerTable>,
  tables: Tables,
  itemsOf: (perTable: PerTable) => readonly Attributes[],
): Described {
  const parts = Object.entries(RequestItems);
  return together(parts.map(([name, perTable]) => onItems(operation, name, itemsOf(perTable), tables)));
}

function query(input: QueryInput, tables: Tables): Described {
  // An index has its own leading key. No template declares an index.
  if (input.IndexName !== undefined) throw unknownOperation('dynamodb', 'Query of an index');
  const key = tables.get(input.TableName ?? '');
  const leading = key && leadingKeyOf(input, key.partition);
  if (key && !leading) throw invalid(`Query condition missed key schema element: ${key.partition}`);
  return onItems('Query', input.TableName, key && leading ? [{ [key.partition]: leading }] : [], tables);
}

const onTable = (operation: string, { TableName }: TableInput): Described => ({
  accesses: [{ action: `dynamodb:${operation}`, resource: tableArn(TableName) }],
});

type Describe = (input: object, tables: Tables) => Described;

const item =
  (operation: string): Describe =>
  (input, tables) =>
    onItem(operation, input as ItemInput, tables);

const operations: Readonly<Record<string, Describe>> = {
  GetItem: item('GetItem'),
  PutItem: item('PutItem'),
  UpdateItem: item('UpdateItem'),
  DeleteItem: item('DeleteItem'),
  Query: (input, tables) => query(input as QueryInput, tables),
  // A scan has no leading key, even with a filter.
  Scan: (input) => onTable('Scan', input),
  DescribeTable: (input) => onTable('DescribeTable', input),
  BatchGetItem: (input, tables) =>
    inBatch('BatchGetItem', input as Batch<{ Keys?: readonly Attributes[] }>, tables, ({ Keys = [] }) => Keys),
  BatchWriteItem: (input, tables) =>
    inBatch('BatchWriteItem', input as Batch<BatchWrites>, tables, (writes) =>
      writes.map(({ PutRequest, DeleteRequest }) => PutRequest?.Item ?? DeleteRequest?.Key ?? {}),
    ),
  TransactGetItems: inTransaction,
  TransactWriteItems: inTransaction,
};

/**
 * Describes a request.
 * @throws AwsFault for an unknown operation, or a request without a valid table name, key or transaction
 */
export function describeDynamodb(operation: string, input: object, tables: Tables): Described {
  const describe = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
  if (!describe) throw unknownOperation('dynamodb', operation);
  return describe(input, tables);
}
