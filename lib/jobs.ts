import { Duration } from 'aws-cdk-lib';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { JobOperation } from '../core/routes.ts';
import { ServiceFunction } from './function.ts';
import type { EndpointsTable, JobsTable, PayloadsTable, WorkersTable } from './tables.ts';

export interface JobsProps {
  readonly jobs: JobsTable;
  readonly payloads: PayloadsTable;
  readonly endpoints: EndpointsTable;
  readonly workers: WorkersTable;
}

/** The operations of the job interface: one function each, with the access that it needs. */
export class Jobs extends Construct {
  readonly functions: Readonly<Record<JobOperation, ServiceFunction>>;
  /** Who hints workers at jobs: endpoints let this role send to their queues. */
  readonly hinter: IRole;

  constructor(scope: Construct, id: string, { jobs, payloads, endpoints, workers }: JobsProps) {
    super(scope, id);

    // A job is stored, its input beside it, and the endpoint's queue is told.
    const run = new ServiceFunction(this, 'Run', {
      entry: 'lambda/jobs/run.ts',
      description: 'POST /{endpoint}/run: accepts a job.',
    });
    endpoints.grantRead(run);
    payloads.grantSubmit(run);
    jobs.grantSubmit(run);

    // It is read as often as its client asks.
    const status = new ServiceFunction(this, 'Status', {
      entry: 'lambda/jobs/status.ts',
      description: 'GET and POST /{endpoint}/status/{job}: reads a job.',
    });
    endpoints.grantRead(status);
    jobs.grantRead(status);
    payloads.grantRead(status);

    // The endpoint as a whole: this reads all its jobs, which takes as long as the gateway waits.
    const health = new ServiceFunction(this, 'Health', {
      entry: 'lambda/jobs/health.ts',
      description: 'GET /{endpoint}/health: counts jobs and workers.',
      timeout: Duration.seconds(28),
    });
    endpoints.grantRead(health);
    jobs.grantList(health);
    workers.grantList(health);

    this.functions = { run, status, health };
    this.hinter = run.identity;
  }
}
