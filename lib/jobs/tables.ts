/** The tables of jobs, and their grants: one grant for each purpose, with the fewest actions possible. */
import type { Role } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { partitionsOf, volumePartitionOf } from '../../core/jobs/id.ts';
import type { Grantee } from '../constructs/grantee.ts';
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

  grantSubmit(grantee: Grantee, reason: Reason): void {
    this.grant(grantee, ['PutItem'], reason);
  }

  grantRead(grantee: Grantee, reason: Reason): void {
    this.grant(grantee, ['GetItem'], reason);
  }

  /** Lets the grantee read many jobs in one call. */
  grantReadBatch(grantee: Grantee, reason: Reason): void {
    this.grant(grantee, ['BatchGetItem'], reason);
  }

  /** Lets the grantee read a job, and write its transitions. */
  grantTransition(grantee: Grantee, reason: ReasonOf<'GetItem' | 'UpdateItem'>): void {
    this.grant(grantee, ['GetItem', 'UpdateItem'], reason);
  }

  grantList(grantee: Grantee, reason: Reason): void {
    this.grant(grantee, ['Query'], reason);
  }

  /** Lets the grantee mark the partitions of a purged endpoint, and count the jobs that the purge has removed. */
  grantPurge(grantee: Grantee): void {
    this.grant(grantee, ['PutItem', 'Query'], {
      PutItem:
        'Writes a marker to each partition. When the ledger has counted the markers, it has counted all earlier changes.',
      Query: {
        reason: 'Counts the removed jobs themselves if the ledger does not count them in time.',
        sometimes: 'only if the ledger is more than ten seconds late.',
      },
    });
  }

  /** Lets the grantee finalize a job that has expired, timed out or was purged. */
  grantFinalize(grantee: Grantee, reason: Reason): void {
    this.grant(grantee, ['UpdateItem'], reason);
  }

  /** Lets the grantee take, run and finish the jobs of one endpoint. */
  grantWork(grantee: Grantee, endpoint: string): void {
    const reason = 'Takes, watches and ends jobs, only in the partitions of its endpoint.';
    this.grant(grantee, ['GetItem', 'UpdateItem'], reason, partitionsOf(endpoint));
  }

  /**
   * Lets the grantee read every change of the stream.
   * @returns the ARN of the stream
   */
  grantReadStream(role: Role, reasons: StreamReasons): string {
    const { table, streamArn } = this.importWithStream(role);
    table.grantStreamRead(role).assertSuccess();
    this.explainStream(role, reasons);
    return streamArn;
  }
}

const listsChunks = 'Lists the chunks of the job.';
const readsOutput = 'Reads an output or an error that does not fit the item of its job.';

/**
 * Chunks, and inputs, outputs, errors, webhook URLs and sealed `s3Config`s that do not fit the job's item. Also
 * idempotency keys, the numbers of the chunks that were sent, the worker that measures the volume, and replaced
 * workers.
 */
export class PayloadsTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'PAYLOADS_TABLE', partitionKey: 'partition', sortKey: 'item', expires: true });
  }

  grantSubmit(grantee: Grantee, reason: Reason): void {
    this.grant(grantee, ['PutItem'], reason);
  }

  grantRead(grantee: Grantee, reason: Reason): void {
    this.grant(grantee, ['GetItem'], reason);
  }

  /** Lets the grantee list the chunks of a job, and store which of them were sent. */
  grantStream(grantee: Grantee): void {
    this.grant(grantee, ['Query', 'GetItem', 'UpdateItem'], {
      Query: listsChunks,
      GetItem: 'Reads an output or error of more than 200 bytes, and which chunks were sent.',
      UpdateItem: 'Stores which chunks were sent, if `/stream` sends each chunk once.',
    });
  }

  /**
   * Lets the grantee read the output of a job, or its chunks.
   * @param reads what the grantee reads with `GetItem`, in a sentence
   */
  grantChunks(grantee: Grantee, reads = readsOutput): void {
    this.grant(grantee, ['Query', 'GetItem'], { Query: listsChunks, GetItem: reads });
  }

  /**
   * Lets the grantee load the inputs of one endpoint, and store its outputs, errors and chunks. It can also mark the
   * worker that measures the volume, and a worker that is replaced.
   */
  grantWork(grantee: Grantee, endpoint: string): void {
    const partitions = [...partitionsOf(endpoint), volumePartitionOf(endpoint)];
    const reason =
      'Loads inputs, stores outputs and errors of more than 200 bytes and chunks, and marks which worker measures the volume and which was replaced for failing jobs. Only in the partitions of its endpoint.';
    this.grant(grantee, ['GetItem', 'PutItem'], reason, partitions);
  }
}

/** Due times of jobs and deliveries, by the minute. */
export class DeadlinesTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'DEADLINES_TABLE', partitionKey: 'endpoint', sortKey: 'due', expires: true });
  }

  grantAdd(grantee: Grantee, reason: Reason): void {
    this.grant(grantee, ['PutItem'], reason);
  }

  grantSweep(grantee: Grantee): void {
    this.grant(grantee, ['Query', 'DeleteItem'], 'Finds due entries, and removes finished ones.');
  }
}

/**
 * Counts of waiting jobs by the time of their submission or last retry: for each queue, one item for each hour and one
 * for each day in which a job was submitted or retried.
 */
export class ArrivalsTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'ARRIVALS_TABLE', partitionKey: 'endpoint', sortKey: 'item', expires: true });
  }

  grantAdd(grantee: Grantee): void {
    this.grant(grantee, ['UpdateItem'], 'Counts waiting jobs by the time of their submission or last retry.');
  }

  /** Lets the grantee count waiting jobs, and find the oldest. */
  grantCount(grantee: Grantee, reason: Reason): void {
    this.grant(grantee, ['Query'], reason);
  }
}
