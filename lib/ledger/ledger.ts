import { Duration } from 'aws-cdk-lib';
import { StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import { ledgerBatch } from '../../core/ledger/batch.ts';
import { acknowledge } from '../constructs/acknowledge.ts';
import { DeadLetters } from '../constructs/dead-letters.ts';
import { ServiceFunction } from '../constructs/function.ts';
import { explain } from '../constructs/reasons.ts';
import type { EndpointsTable } from '../endpoints/tables.ts';
import type { HistoryTable } from '../history/table.ts';
import type { ArrivalsTable, DeadlinesTable, JobsTable, PayloadsTable } from '../jobs/tables.ts';
import type { WorkerServices } from '../releases/worker-services.ts';
import type { ExpiryMachine } from '../sweeper/expiry-machine.ts';

export interface LedgerProps {
  readonly jobs: JobsTable;
  readonly deadlines: DeadlinesTable;
  readonly arrivals: ArrivalsTable;
  readonly history: HistoryTable;
  readonly payloads: PayloadsTable;
  readonly endpoints: EndpointsTable;
  readonly services: WorkerServices;
  /** Starts the timers of jobs with a short `ttl`. */
  readonly timers: ExpiryMachine;
}

/** Follows the stream of the jobs table: counts jobs, stores deadlines and the history, and starts the required workers. */
export class Ledger extends Construct {
  readonly record: ServiceFunction;

  constructor(scope: Construct, id: string, props: LedgerProps) {
    super(scope, id);
    const { jobs, deadlines, arrivals, history, payloads, endpoints, services, timers } = props;
    this.record = new ServiceFunction(this, 'Record', {
      entry: 'lambda/ledger/record.ts',
      description: 'Jobs stream: counts jobs, stores deadlines and history, starts workers.',
      timeout: Duration.seconds(30),
      reserving: 'ledger',
    });
    const { record } = this;
    deadlines.grantAdd(record, 'Stores when jobs and deliveries become due.');
    arrivals.grantAdd(record);
    history.grantAddLate(record, 'Stores the jobs that have ended, and changes of the number of workers.');
    payloads.grantRead(record, 'Reads the error of a failed job, if it does not fit the item of the job.');
    endpoints.grantRead(record, 'Reads the endpoint.');
    endpoints.grantUpdate(record, 'Writes the counters of the endpoint and the number of its workers.');
    services.grantUpdate(
      record,
      'Sets the number of workers. Services are created with endpoints, so the permission covers the cluster.',
    );
    timers.grantStart(record);

    // The function reports the change from which to repeat a batch, and sets aside a change that keeps failing.
    // Lambda halves a batch that crashes the function or takes too long, until it contains only the failing change,
    // which is then sent to this queue.
    const deadLetters = new DeadLetters(this, 'DeadLetters', 'changes of jobs that crashed the ledger');
    acknowledge(record.identity, { 'IAM5[Resource::*]': 'dynamodb:ListStreams has no narrower resource.' });
    jobs.invokeOnChanges(record, {
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: ledgerBatch.changes,
      // One write per batch and endpoint: a batching window of one second combines the three changes of a short job.
      maxBatchingWindow: Duration.millis(ledgerBatch.window),
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      retryAttempts: 3,
      maxRecordAge: Duration.hours(6),
      onFailure: new SqsDlq(deadLetters),
    });
    explain(record, 'sqs', ['SendMessage'], "ledger's dead letters", {
      reason: 'Lambda sets aside batches that keep failing, with the role of the function.',
      sometimes:
        'only if each repetition of a batch crashes the function or takes too long. The function itself sets aside changes that it cannot store.',
    });
    explain(record, 'sqs', ['GetQueueAttributes', 'GetQueueUrl'], "ledger's dead letters", {
      reason: 'Granted together with the permission to send.',
      unused:
        "CDK's `SqsDlq` grants these actions together with `sqs:SendMessage`. They return the URL and the settings of one queue and change nothing.",
    });
  }
}
