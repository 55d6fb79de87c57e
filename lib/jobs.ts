import { Duration } from 'aws-cdk-lib';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { waitLimits } from '../core/limits.ts';
import type { JobOperation } from '../core/routes.ts';
import type { EndpointsTable, WorkersTable } from './endpoint-tables.ts';
import { ServiceFunction } from './function.ts';
import type { ArrivalsTable, JobsTable, PayloadsTable } from './job-tables.ts';
import type { PayloadBucket } from './payload-bucket.ts';
import type { SecretsKey } from './secrets-key.ts';

export interface JobsProps {
  readonly jobs: JobsTable;
  readonly payloads: PayloadsTable;
  readonly objects: PayloadBucket;
  readonly arrivals: ArrivalsTable;
  readonly secrets: SecretsKey;
  readonly endpoints: EndpointsTable;
  readonly workers: WorkersTable;
}

/** To load and send up to 20 MB takes its time; a buffered answer must be there before the gateway gives up at 29 s. */
const LARGE = Duration.seconds(28);
/** A client takes up to 200 MB, at 2 MB/s after the first ten. */
const STREAMING = Duration.seconds(120);
const WAITING = Duration.millis(waitLimits.max).plus(LARGE);

/** The operations of the job interface: one function each, with the access that it needs. */
export class Jobs extends Construct {
  readonly functions: Readonly<Record<JobOperation, ServiceFunction>>;
  /** Who hints workers at jobs: endpoints let these roles send to their queues. */
  readonly hinters: readonly IRole[];

  constructor(
    scope: Construct,
    id: string,
    { jobs, payloads, objects, secrets, arrivals, endpoints, workers }: JobsProps,
  ) {
    super(scope, id);

    // A job is stored, its input beside it, and the endpoint's queue is told.
    const run = new ServiceFunction(this, 'Run', {
      entry: 'lambda/jobs/run.ts',
      description: 'POST /{endpoint}/run: accepts a job.',
      timeout: LARGE,
    });
    const runsync = new ServiceFunction(this, 'RunSync', {
      entry: 'lambda/jobs/runsync.ts',
      description: 'POST /{endpoint}/runsync: accepts a job and waits for its end.',
      timeout: WAITING,
    });
    for (const submits of [run, runsync]) {
      payloads.grantSubmit(submits);
      objects.grantSubmit(submits);
      secrets.grantSeal(submits);
      jobs.grantSubmit(submits);
    }
    // To find the job of a repeated request.
    jobs.grantRead(run);

    // It is read as often as its client asks.
    const status = new ServiceFunction(this, 'Status', {
      entry: 'lambda/jobs/status.ts',
      description: 'GET and POST /{endpoint}/status/{job}: reads a job.',
      timeout: LARGE,
    });
    const statusSync = new ServiceFunction(this, 'StatusSync', {
      entry: 'lambda/jobs/status-sync.ts',
      description: 'GET and POST /{endpoint}/status-sync/{job}: reads a job as soon as it has ended.',
      timeout: WAITING,
    });
    const stream = new ServiceFunction(this, 'Stream', {
      entry: 'lambda/jobs/stream.ts',
      description: 'GET and POST /{endpoint}/stream/{job}: reads what a job has streamed.',
      timeout: STREAMING,
    });
    for (const reads of [runsync, status, statusSync, stream]) {
      // What has ended by the clock is stored before anybody is told.
      jobs.grantMove(reads);
      objects.grantRead(reads);
    }
    for (const shows of [runsync, status, statusSync]) {
      payloads.grantRead(shows);
      // Where a job stands while it waits, and why.
      arrivals.grantCount(shows);
      workers.grantList(shows);
    }
    payloads.grantStream(stream);

    // Its client may change its mind, or want it run again: its input is kept for longer, and the queue is told.
    const cancel = new ServiceFunction(this, 'Cancel', {
      entry: 'lambda/jobs/cancel.ts',
      description: 'POST /{endpoint}/cancel/{job}: ends a job.',
    });
    const retry = new ServiceFunction(this, 'Retry', {
      entry: 'lambda/jobs/retry.ts',
      description: 'POST /{endpoint}/retry/{job}: runs a job again that has failed.',
      timeout: LARGE,
    });
    jobs.grantMove(cancel);
    jobs.grantMove(retry);
    for (const inputs of [payloads, objects]) {
      inputs.grantRead(retry);
      inputs.grantSubmit(retry);
    }

    // The endpoint as a whole.
    const purgeQueue = new ServiceFunction(this, 'PurgeQueue', {
      entry: 'lambda/jobs/purge-queue.ts',
      description: 'POST /{endpoint}/purge-queue: removes all jobs that wait.',
    });
    endpoints.grantNote(purgeQueue);
    const requests = new ServiceFunction(this, 'Requests', {
      entry: 'lambda/jobs/requests.ts',
      description: 'GET /{endpoint}/requests: lists jobs, the newest first.',
      timeout: LARGE,
    });
    jobs.grantList(requests);
    jobs.grantSettle(requests);
    const health = new ServiceFunction(this, 'Health', {
      entry: 'lambda/jobs/health.ts',
      description: 'GET /{endpoint}/health: counts jobs and workers.',
    });
    workers.grantList(health);

    this.functions = {
      run,
      runsync,
      status,
      'status-sync': statusSync,
      stream,
      cancel,
      retry,
      'purge-queue': purgeQueue,
      requests,
      health,
    };
    for (const operation of Object.values(this.functions)) endpoints.grantRead(operation);
    this.hinters = [run.identity, runsync.identity, retry.identity];
  }
}
