/** The tables of jobs, and what may be done with them: one grant per intention, with the fewest actions that it takes. */
import type { Role } from 'aws-cdk-lib/aws-iam';
import { DynamoEventSource, type StreamEventSourceProps } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Construct } from 'constructs';
import { partitionsOf, volumePartitionOf } from '../../core/jobs/id.ts';
import type { Client } from '../constructs/client.ts';
import type { ServiceFunction } from '../constructs/function.ts';
import { RetainedTable } from '../constructs/retained-table.ts';

/** The truth about every job: one small item each. Its stream is what everything else follows from. */
export class JobsTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      variable: 'JOBS_TABLE',
      partitionKey: 'partition',
      sortKey: 'id',
      expires: true,
      streamed: true,
    });
  }

  grantSubmit(client: Client): void {
    this.grant(client, ['PutItem']);
  }

  grantRead(client: Client): void {
    this.grant(client, ['GetItem']);
  }

  /** To look at many jobs at once, for calls that wait for them. */
  grantWatch(client: Client): void {
    this.grant(client, ['BatchGetItem']);
  }

  /** To read a job and move it. */
  grantMove(client: Client): void {
    this.grant(client, ['GetItem', 'UpdateItem']);
  }

  grantList(client: Client): void {
    this.grant(client, ['Query']);
  }

  /** To store the end of a job that is known to be over. */
  grantSettle(client: Client): void {
    this.grant(client, ['UpdateItem']);
  }

  /** To take, run and finish the jobs of one endpoint. */
  grantWork(client: Client, endpoint: string): void {
    this.grant(client, ['GetItem', 'UpdateItem'], partitionsOf(endpoint));
  }

  /** Calls the function with every change. */
  feed(consumer: ServiceFunction, props: StreamEventSourceProps): void {
    consumer.addEventSource(new DynamoEventSource(this.followedBy(consumer), props));
  }

  /** To be told of every change. @returns the ARN of the stream */
  grantFollow(role: Role): string {
    const table = this.followedBy(role);
    table.grantStreamRead(role).assertSuccess();
    return table.tableStreamArn ?? '';
  }
}

/** Chunks, and inputs, outputs and errors too large for the job's own item. */
export class PayloadsTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'PAYLOADS_TABLE', partitionKey: 'partition', sortKey: 'item', expires: true });
  }

  grantSubmit(client: Client): void {
    this.grant(client, ['PutItem']);
  }

  grantRead(client: Client): void {
    this.grant(client, ['GetItem']);
  }

  /** To list the chunks of a job, and to note how far they were given. */
  grantStream(client: Client): void {
    this.grant(client, ['Query', 'GetItem', 'UpdateItem']);
  }

  /** To list the chunks of a job. */
  grantChunks(client: Client): void {
    this.grant(client, ['Query', 'GetItem']);
  }

  /** To load the inputs of one endpoint, store its outputs and chunks, and mark which worker measures its volume or was replaced. */
  grantWork(client: Client, endpoint: string): void {
    const partitions = [...partitionsOf(endpoint), volumePartitionOf(endpoint)];
    this.grant(client, ['GetItem', 'PutItem'], partitions);
  }
}

/** When jobs become due, by the minute. */
export class DeadlinesTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'DEADLINES_TABLE', partitionKey: 'endpoint', sortKey: 'due', expires: true });
  }

  grantNote(client: Client): void {
    this.grant(client, ['PutItem']);
  }

  grantSweep(client: Client): void {
    this.grant(client, ['Query', 'DeleteItem']);
  }
}

/** How many jobs wait, by when they came: a few items for each day on which any waited. */
export class ArrivalsTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'ARRIVALS_TABLE', partitionKey: 'endpoint', sortKey: 'item', expires: true });
  }

  grantAdd(client: Client): void {
    this.grant(client, ['UpdateItem']);
  }

  /** To count those that wait ahead of a job. */
  grantCount(client: Client): void {
    this.grant(client, ['Query']);
  }
}
