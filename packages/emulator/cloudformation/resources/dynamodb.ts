import {
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  type TableDescription,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { arn } from '../../account.ts';
import type { TableKey } from '../../aws-proxy/described.ts';
import { LocalError } from '../../local-error.ts';
import { streamLabel } from '../../streams/stream.ts';
import { describe, ignored, physicalName, type Resource } from '../resource.ts';
import { run } from '../resource-type.ts';

const tableSchema = z.strictObject({
  TableName: z.optional(z.string()),
  AttributeDefinitions: z.array(
    z.strictObject({ AttributeName: z.string(), AttributeType: z.literal(['S', 'N', 'B']) }),
  ),
  KeySchema: z.array(z.strictObject({ AttributeName: z.string(), KeyType: z.literal(['HASH', 'RANGE']) })),
  BillingMode: z.literal('PAY_PER_REQUEST'),
  StreamSpecification: z.optional(
    z.strictObject({ StreamViewType: z.literal(['NEW_AND_OLD_IMAGES', 'NEW_IMAGE', 'OLD_IMAGE', 'KEYS_ONLY']) }),
  ),
  TimeToLiveSpecification: z.optional(z.strictObject({ AttributeName: z.string(), Enabled: z.boolean() })),
  // These settings protect a production table against loss.
  DeletionProtectionEnabled: ignored,
  PointInTimeRecoverySpecification: ignored,
  SSESpecification: ignored,
  Tags: ignored,
});

type TableProperties = z.output<typeof tableSchema>;

const keyOf = (schema: readonly { AttributeName?: string | undefined; KeyType?: string | undefined }[]) =>
  schema.map(({ AttributeName, KeyType }) => `${AttributeName} ${KeyType}`).join(', ');

const useAnother = 'remove the state directory, or set another LOCAL_STATE_DIR.';
function keyNames(schema: TableProperties['KeySchema']): TableKey {
  const nameOf = (type: string) => schema.find(({ KeyType }) => KeyType === type)?.AttributeName;
  const sort = nameOf('RANGE');
  return { partition: nameOf('HASH') ?? '', ...(sort !== undefined && { sort }) };
}

/** Creates a table, or reuses an existing table with its items. As in AWS, the key of a table cannot change. */
async function createTable(dynamodb: DynamoDBClient, TableName: string, resource: Resource<TableProperties>) {
  const { AttributeDefinitions, KeySchema, BillingMode } = resource.properties;
  try {
    await dynamodb.send(new CreateTableCommand({ TableName, AttributeDefinitions, KeySchema, BillingMode }));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName }));
  const present = keyOf(Table?.KeySchema ?? []);
  if (present === keyOf(KeySchema)) return Table;
  throw new LocalError(
    `${describe(resource)} has the key ${keyOf(KeySchema)}, but the table in the state directory has ${present}: ` +
      useAnother,
  );
}

const viewOf = ({ StreamSpecification: stream }: TableDescription) =>
  stream?.StreamEnabled ? stream.StreamViewType : undefined;

/** Adds a stream that the table lacks, and removes a stream that the template no longer has. */
async function arrangeStream(dynamodb: DynamoDBClient, table: TableDescription, resource: Resource<TableProperties>) {
  const wanted = resource.properties.StreamSpecification?.StreamViewType;
  const present = viewOf(table);
  if (wanted === present) return table.LatestStreamLabel;
  if (wanted && present)
    throw new LocalError(
      `${describe(resource)} has a stream of ${wanted}, but the table in the state directory has one of ${present}: ` +
        useAnother,
    );
  const StreamSpecification = wanted ? { StreamEnabled: true, StreamViewType: wanted } : { StreamEnabled: false };
  const { TableName } = table;
  const { TableDescription } = await dynamodb.send(new UpdateTableCommand({ TableName, StreamSpecification }));
  return TableDescription?.LatestStreamLabel;
}

export const table = run(tableSchema, async (resource, { dynamodb, expiring, tables }) => {
  const { TableName = physicalName(resource), KeySchema, TimeToLiveSpecification } = resource.properties;
  const present = await createTable(dynamodb, TableName, resource);
  tables.set(TableName, keyNames(KeySchema));
  const label = await arrangeStream(dynamodb, present ?? {}, resource);
  if (TimeToLiveSpecification?.Enabled)
    expiring.push({
      name: TableName,
      key: KeySchema.map(({ AttributeName }) => AttributeName),
      attribute: TimeToLiveSpecification.AttributeName,
    });
  const tableArn = arn('dynamodb', `table/${TableName}`);
  const hasStream = resource.properties.StreamSpecification && label !== undefined;
  return {
    ref: TableName,
    attributes: { Arn: tableArn, ...(hasStream && { StreamArn: `${tableArn}/stream/${streamLabel(label)}` }) },
  };
});
