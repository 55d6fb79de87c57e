import {
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { arn } from '../account.ts';
import { LocalError } from '../local-error.ts';
import { describe, ignored, physicalName, type Resource, run } from '../resource.ts';

const tableSchema = z.strictObject({
  TableName: z.optional(z.string()),
  AttributeDefinitions: z.array(
    z.strictObject({ AttributeName: z.string(), AttributeType: z.literal(['S', 'N', 'B']) }),
  ),
  KeySchema: z.array(z.strictObject({ AttributeName: z.string(), KeyType: z.literal(['HASH', 'RANGE']) })),
  BillingMode: z.literal('PAY_PER_REQUEST'),
  TimeToLiveSpecification: z.optional(z.strictObject({ AttributeName: z.string(), Enabled: z.boolean() })),
  // What guards against the loss of a production table.
  DeletionProtectionEnabled: ignored,
  PointInTimeRecoverySpecification: ignored,
  SSESpecification: ignored,
  Tags: ignored,
});

type TableProperties = z.output<typeof tableSchema>;

const keyOf = (schema: readonly { AttributeName?: string; KeyType?: string }[]) =>
  schema.map(({ AttributeName, KeyType }) => `${AttributeName} ${KeyType}`).join(', ');

/** Keeps a table that is there with all that is in it; a key cannot be changed in AWS either. */
async function createTable(dynamodb: DynamoDBClient, TableName: string, resource: Resource<TableProperties>) {
  const { AttributeDefinitions, KeySchema, BillingMode } = resource.properties;
  try {
    await dynamodb.send(new CreateTableCommand({ TableName, AttributeDefinitions, KeySchema, BillingMode }));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
    const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName }));
    const present = keyOf(Table?.KeySchema ?? []);
    if (present === keyOf(KeySchema)) return;
    throw new LocalError(
      `${describe(resource)} has the key ${keyOf(KeySchema)}, but the table in the state directory has ${present}: ` +
        'remove the state directory, or set another LOCAL_STATE_DIR.',
    );
  }
}

export const table = run(tableSchema, async (resource, { dynamodb, expiring }) => {
  const { TableName = physicalName(resource), KeySchema, TimeToLiveSpecification } = resource.properties;
  await createTable(dynamodb, TableName, resource);
  if (TimeToLiveSpecification?.Enabled)
    expiring.push({
      name: TableName,
      key: KeySchema.map(({ AttributeName }) => AttributeName),
      attribute: TimeToLiveSpecification.AttributeName,
    });
  return { ref: TableName, attributes: { Arn: arn('dynamodb', `table/${TableName}`) } };
});
