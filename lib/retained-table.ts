import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Client } from './client.ts';

export interface RetainedTableProps {
  /** Environment variable that names the table to its clients. */
  readonly variable: string;
  readonly partitionKey: string;
  /** @default - the partition key alone names an item */
  readonly sortKey?: string;
  /** Whether changes of items can be followed, with what they were before and what they are after. */
  readonly streamed?: boolean;
  /** Whether items say by `removeAfter`, in seconds since the epoch, when they may go. */
  readonly tidied: boolean;
}

const stringKey = (name: string) => ({ name, type: AttributeType.STRING });

/** A table that outlives its stack: deletion is refused, and any second of the last 35 days can be restored. */
export class RetainedTable extends Construct {
  readonly name: string;
  protected readonly table: Table;
  readonly #variable: string;

  constructor(scope: Construct, id: string, props: RetainedTableProps) {
    super(scope, id);
    this.#variable = props.variable;
    this.table = new Table(this, 'Table', {
      partitionKey: stringKey(props.partitionKey),
      sortKey: props.sortKey ? stringKey(props.sortKey) : undefined,
      timeToLiveAttribute: props.tidied ? 'removeAfter' : undefined,
      stream: props.streamed ? StreamViewType.NEW_AND_OLD_IMAGES : undefined,
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    this.name = this.table.tableName;
  }

  /**
   * Lets the client do these actions and tells it the table's name.
   * @param partitions the only partition keys that it may touch: a list of them, or a pattern with `*`
   */
  protected grant(client: Client, actions: readonly string[], partitions?: readonly string[] | string): void {
    Grant.addToPrincipal({
      grantee: client,
      actions: actions.map((action) => `dynamodb:${action}`),
      resourceArns: [this.table.tableArn],
      conditions: partitions === undefined ? undefined : onlyPartitions(partitions),
    }).assertSuccess();
    client.addEnvironment(this.#variable, this.name);
  }
}

/** `ForAllValues` holds of a request without keys, such as a scan; the null check refuses it. */
const onlyPartitions = (partitions: readonly string[] | string) => ({
  [typeof partitions === 'string' ? 'ForAllValues:StringLike' : 'ForAllValues:StringEquals']: {
    'dynamodb:LeadingKeys': [partitions].flat(),
  },
  Null: { 'dynamodb:LeadingKeys': 'false' },
});
