/**
 * The operations of DynamoDB that this project uses. Their inputs and outputs are those of `@aws-sdk/lib-dynamodb`:
 * items are JavaScript objects.
 */
import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import type * as lib from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { ServiceException } from '@smithy/core/client';
import { itemIn } from '../images.ts';
import { hasFipsName, hostNamed, type Service } from './configuration.ts';
import { jsonCommandOf } from './json-operation.ts';
import { type Operation, ServiceClient } from './service-client.ts';

const dynamodb: Service = {
  serviceId: 'DynamoDB',
  signingName: 'dynamodb',
  timeouts: 'dynamodb',
  hostOf: hostNamed('dynamodb', hasFipsName),
};

export class DocumentClient extends ServiceClient {
  constructor() {
    super(dynamodb);
  }
}

/** The error of a write whose condition did not hold. */
type ConditionalCheckFailed = ServiceException & {
  /** The current item in DynamoDB's notation, if the write requested it. */
  readonly Item?: object;
};
type TransactionCanceled = ServiceException & { readonly CancellationReasons?: CancellationReason[] };

export const isConditionalCheckFailed = (error: unknown): error is ConditionalCheckFailed =>
  error instanceof ServiceException && error.name === 'ConditionalCheckFailedException';
export const isTransactionCanceled = (error: unknown): error is TransactionCanceled =>
  error instanceof ServiceException && error.name === 'TransactionCanceledException';

type Item = Record<string, unknown>;
/** Converts one item to or from DynamoDB's own notation. */
type Conversion = (item: unknown) => unknown;
/** Converts all items in a part of an input or an output. */
type Walk = (part: unknown, convert: Conversion) => unknown;

const item: Walk = (part, convert) => convert(part);
const list =
  (of: Walk): Walk =>
  (part, convert) =>
    (part as unknown[]).map((element) => of(element, convert));
const eachTable =
  (of: Walk): Walk =>
  (part, convert) =>
    Object.fromEntries(Object.entries(part as Item).map(([table, value]) => [table, of(value, convert)]));
const fields =
  (walks: Readonly<Record<string, Walk>>): Walk =>
  (part, convert) => {
    const converted = { ...(part as Item) };
    for (const [name, walk] of Object.entries(walks))
      if (converted[name] !== undefined) converted[name] = walk(converted[name], convert);
    return converted;
  };

const one = fields({ Key: item, Item: item, ExpressionAttributeValues: item, ExclusiveStartKey: item });
const keys = eachTable(fields({ Keys: list(item) }));

const inputs = {
  one,
  batchGet: fields({ RequestItems: keys }),
  transaction: fields({ TransactItems: list(fields({ ConditionCheck: one, Put: one, Delete: one, Update: one })) }),
} as const;

const outputs = fields({
  Item: item,
  Attributes: item,
  Items: list(item),
  LastEvaluatedKey: item,
  Responses: eachTable(list(item)),
  UnprocessedKeys: keys,
});

const inNotation: Conversion = (value) => marshall(value as Item, { removeUndefinedValues: true });

const operation = <Input extends object, Output extends object>(name: string, walk: Walk) =>
  jsonCommandOf<Input, Omit<Output, '$metadata'>>(
    { target: 'DynamoDB_20120810', contentType: 'application/x-amz-json-1.0' },
    {
      name,
      encode: (input) => walk(input, inNotation),
      decode: (output) => outputs(output, itemIn) as Omit<Output, '$metadata'>,
    },
  );

export class GetCommand extends operation<lib.GetCommandInput, lib.GetCommandOutput>('GetItem', inputs.one) {}
export class PutCommand extends operation<lib.PutCommandInput, lib.PutCommandOutput>('PutItem', inputs.one) {}
export class UpdateCommand extends operation<lib.UpdateCommandInput, lib.UpdateCommandOutput>(
  'UpdateItem',
  inputs.one,
) {}
export class DeleteCommand extends operation<lib.DeleteCommandInput, lib.DeleteCommandOutput>(
  'DeleteItem',
  inputs.one,
) {}
export class QueryCommand extends operation<lib.QueryCommandInput, lib.QueryCommandOutput>('Query', inputs.one) {}
export class ScanCommand extends operation<lib.ScanCommandInput, lib.ScanCommandOutput>('Scan', inputs.one) {}
export class BatchGetCommand extends operation<lib.BatchGetCommandInput, lib.BatchGetCommandOutput>(
  'BatchGetItem',
  inputs.batchGet,
) {}
export class TransactWriteCommand extends operation<lib.TransactWriteCommandInput, lib.TransactWriteCommandOutput>(
  'TransactWriteItems',
  inputs.transaction,
) {}

type PagedInput = Pick<lib.QueryCommandInput | lib.ScanCommandInput, 'ExclusiveStartKey' | 'Limit'>;

export interface Pages {
  readonly client: DocumentClient;
  /** The maximum number of items that DynamoDB reads for a page. */
  readonly pageSize?: number;
}

const pagesOf = <Input extends PagedInput, Page extends { readonly LastEvaluatedKey?: Item }>(
  PageCommand: new (input: Input) => { readonly operation: Operation<Input, Page>; readonly input: Input },
) =>
  async function* pages({ client, pageSize }: Pages, input: Input): AsyncGenerator<Page, void> {
    let { ExclusiveStartKey } = input;
    do {
      const page = await client.send(new PageCommand({ Limit: pageSize, ...input, ExclusiveStartKey }));
      yield page;
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
  };

/** Returns the pages of a query, one after the other. */
export const paginateQuery = pagesOf(QueryCommand);
/** Returns the pages of a scan, one after the other. */
export const paginateScan = pagesOf(ScanCommand);
