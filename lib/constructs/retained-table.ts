import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AttributeType, BillingMode, type ITable, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { DynamoEventSource, type StreamEventSourceProps } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct, type IConstruct } from 'constructs';
import type { ServiceFunction } from './function.ts';
import { type Grantee, roleOf } from './grantee.ts';
import { explain, type ReasonOf } from './reasons.ts';
import { SharedValue } from './shared-value.ts';

export interface RetainedTableProps {
  /** Environment variable that contains the table's name. */
  readonly variable: string;
  readonly partitionKey: string;
  /** @default - an item is identified by its partition key */
  readonly sortKey?: string;
  /** Whether the table has a stream that contains each item before and after a change. */
  readonly streamed?: boolean;
  /** Whether DynamoDB removes items after the time in their attribute `removeAfter`, in seconds since the epoch. */
  readonly expires: boolean;
}

/**
 * Why a role reads a stream, and why it lists streams. `begins` has no full stop, because a clause is appended to it.
 */
export interface StreamReasons {
  readonly reads: string;
  readonly begins: string;
}

/** The reasons of a function that is called with the changes. */
const byLambda: StreamReasons = {
  reads: 'Lambda reads the stream with the role of the function.',
  begins: 'Lambda lists the streams when it begins to read one',
};

const stringKey = (name: string) => ({ name, type: AttributeType.STRING });

/**
 * A table that outlives its stack. It is protected from deletion, and can be restored to any second of the last 35
 * days.
 */
export class RetainedTable extends Construct {
  readonly #variable: string;
  readonly #name: SharedValue;
  readonly #stream: SharedValue | undefined;

  constructor(scope: Construct, id: string, props: RetainedTableProps) {
    super(scope, id);
    this.#variable = props.variable;
    const table = new Table(this, 'Table', {
      partitionKey: stringKey(props.partitionKey),
      ...(props.sortKey && { sortKey: stringKey(props.sortKey) }),
      ...(props.expires && { timeToLiveAttribute: 'removeAfter' }),
      ...(props.streamed && { stream: StreamViewType.NEW_AND_OLD_IMAGES }),
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    this.#name = new SharedValue(this, 'Name', table.tableName);
    // The stream is an attribute of the table, because its ARN contains a time and cannot be derived from a name.
    if (table.tableStreamArn) this.#stream = new SharedValue(this, 'Stream', table.tableStreamArn);
  }

  /** Returns the table's name, in the stack of the construct. */
  nameIn(reader: IConstruct): string {
    return this.#name.in(reader);
  }

  /**
   * Calls the function with the changes of the table that match the filters of `props`.
   * @throws Error if the table has no stream
   */
  invokeOnChanges(handler: ServiceFunction, props: StreamEventSourceProps): void {
    const { table } = this.importWithStream(handler);
    handler.addEventSource(new DynamoEventSource(table, props));
    this.explainStream(handler, byLambda);
  }

  /** Imports the table with its stream into the stack of a reader of the stream. */
  protected importWithStream(reader: Construct): { readonly table: ITable; readonly streamArn: string } {
    const streamArn = this.#stream?.in(reader);
    if (streamArn === undefined) throw new Error(`${this.node.path} has no stream.`);
    const attributes = { tableName: this.nameIn(reader), tableStreamArn: streamArn };
    return { table: Table.fromTableAttributes(reader, this.node.id, attributes), streamArn };
  }

  /**
   * Lets the grantee call these actions, and sets the table's name in its environment.
   * @param partitions the only partition keys that the grantee may access: a list of keys, or a pattern with `*`
   */
  protected grant<Action extends string>(
    grantee: Grantee,
    actions: readonly Action[],
    reason: ReasonOf<Action>,
    partitions?: readonly string[] | string,
  ): void {
    const role = roleOf(grantee);
    const name = this.nameIn(role);
    Grant.addToPrincipal({
      grantee,
      actions: actions.map((action) => `dynamodb:${action}`),
      resourceArns: [Stack.of(role).formatArn({ service: 'dynamodb', resource: 'table', resourceName: name })],
      ...(partitions !== undefined && { conditions: onlyPartitions(partitions) }),
    }).assertSuccess();
    grantee.addEnvironment(this.#variable, name);
    explain(grantee, 'dynamodb', actions, `${this.#called} table`, reason);
  }

  /** Stores the reasons why a role may read the stream of the table. */
  protected explainStream(reader: IGrantable, { reads, begins }: StreamReasons): void {
    const actions = ['DescribeStream', 'GetRecords', 'GetShardIterator'];
    explain(reader, 'dynamodb', actions, `stream of the ${this.#called} table`, reads);
    explain(reader, 'dynamodb', ['ListStreams'], 'no resource', `${begins}; IAM has no narrower resource.`);
  }

  /** Name of the table in `docs/reference/permissions.md`. */
  get #called(): string {
    return this.node.id.toLowerCase();
  }
}

/** `ForAllValues` also matches a request without keys, such as a scan. The null check refuses such a request. */
const onlyPartitions = (partitions: readonly string[] | string) => ({
  [typeof partitions === 'string' ? 'ForAllValues:StringLike' : 'ForAllValues:StringEquals']: {
    'dynamodb:LeadingKeys': [partitions].flat(),
  },
  Null: { 'dynamodb:LeadingKeys': 'false' },
});
