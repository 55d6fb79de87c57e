/** The tables of jobs, and their grants: one grant for each purpose, with the fewest actions possible. */
import type { Role } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { partitionsOf, volumePartitionOf } from '../../core/jobs/id.ts';
import type { Client } from '../constructs/client.ts';
import type { Reason, ReasonOf } from '../constructs/reasons.ts';
import { RetainedTable, type StreamReasons } from '../constructs/retained-table.ts';

/** The state of every job, one small item each. The ledger and webhooks follow the table's stream. */
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

  grantSubmit(client: Client, reason: Reason): void {
    this.grant(client, ['PutItem'], reason);
  }

  grantRead(client: Client, reason: Reason): void {
    this.grant(client, ['GetItem'], reason);
  }

  /** Lets the client read many jobs at the same time, for calls that wait for them. */
  grantWatch(client: Client, reason: Reason): void {
    this.grant(client, ['BatchGetItem'], reason);
  }

  /** Lets the client read a job, and write its transitions. */
  grantTransition(client: Client, reason: ReasonOf<'GetItem' | 'UpdateItem'>): void {
    this.grant(client, ['GetItem', 'UpdateItem'], reason);
  }

  grantList(client: Client, reason: Reason): void {
    this.grant(client, ['Query'], reason);
  }

  /** Lets the client mark the partitions of a purged endpoint, and count the jobs that the purge has removed. */
  grantPurge(client: Client): void {
    this.grant(client, ['PutItem', 'Query'], {
      PutItem: 'Marks each partition, so that the purge knows when the ledger has counted all jobs that it removes.',
      Query: {
        reason: 'Counts the removed jobs themselves if the ledger does not count them in time.',
        seldom: 'the ledger must be more than ten seconds late.',
      },
    });
  }

  /** Lets the client finalize a job that has expired, timed out or was purged. */
  grantFinalize(client: Client, reason: Reason): void {
    this.grant(client, ['UpdateItem'], reason);
  }

  /** Lets the client take, run and finish the jobs of one endpoint. */
  grantWork(client: Client, endpoint: string): void {
    const reason = 'Takes, watches and ends jobs, only in the partitions of its endpoint.';
    this.grant(client, ['GetItem', 'UpdateItem'], reason, partitionsOf(endpoint));
  }

  /**
   * Lets the client read every change of the stream.
   * @returns the ARN of the stream
   */
  grantReadStream(role: Role, reasons: StreamReasons): string {
    const { table, streamArn } = this.importWithStream(role);
    table.grantStreamRead(role).assertSuccess();
    this.explainStream(role, reasons);
    return streamArn;
  }
}

const readsChunks = {
  Query: 'Lists the chunks of the job.',
  GetItem: 'Reads an output, error or chunk of more than 200 bytes.',
} as const;

/**
 * Chunks, and inputs, outputs and errors that are too large for the job's item. Also idempotency keys, which chunks were
 * sent, and marks of workers: which one measures the volume, and which were replaced.
 */
export class PayloadsTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'PAYLOADS_TABLE', partitionKey: 'partition', sortKey: 'item', expires: true });
  }

  grantSubmit(client: Client, reason: Reason): void {
    this.grant(client, ['PutItem'], reason);
  }

  grantRead(client: Client, reason: Reason): void {
    this.grant(client, ['GetItem'], reason);
  }

  /** Lets the client list the chunks of a job, and store which of them were sent. */
  grantStream(client: Client): void {
    this.grant(client, ['Query', 'GetItem', 'UpdateItem'], {
      ...readsChunks,
      UpdateItem: 'Stores which chunks were sent, if `/stream` sends each chunk once.',
    });
  }

  /** Lets the client list the chunks of a job. */
  grantChunks(client: Client): void {
    this.grant(client, ['Query', 'GetItem'], readsChunks);
  }

  /**
   * Lets the client load the inputs of one endpoint, and store its outputs, errors and chunks. It can also mark the worker
   * that measures the volume, and a worker that is replaced.
   */
  grantWork(client: Client, endpoint: string): void {
    const partitions = [...partitionsOf(endpoint), volumePartitionOf(endpoint)];
    const reason =
      'Loads inputs, stores outputs and errors of more than 200 bytes and chunks, and marks which worker measures the volume and which was replaced for failing jobs. Only in the partitions of its endpoint.';
    this.grant(client, ['GetItem', 'PutItem'], reason, partitions);
  }
}

/** Due times of jobs and deliveries, by the minute. */
export class DeadlinesTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'DEADLINES_TABLE', partitionKey: 'endpoint', sortKey: 'due', expires: true });
  }

  grantAdd(client: Client, reason: Reason): void {
    this.grant(client, ['PutItem'], reason);
  }

  grantSweep(client: Client): void {
    this.grant(client, ['Query', 'DeleteItem'], 'Finds due entries, and removes finished ones.');
  }
}

/** Counts of waiting jobs by the time of their submission: a few items for each day on which a job waited. */
export class ArrivalsTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'ARRIVALS_TABLE', partitionKey: 'endpoint', sortKey: 'item', expires: true });
  }

  grantAdd(client: Client): void {
    this.grant(client, ['UpdateItem'], 'Counts waiting jobs by the time of their submission.');
  }

  /** Lets the client count the jobs that wait ahead of a job. */
  grantCount(client: Client): void {
    this.grant(
      client,
      ['Query'],
      'Finds the position of a waiting job: counts the jobs that were submitted before it.',
    );
  }
}
