import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { EndpointsTable, JobsTable, KeysTable, PayloadsTable, WorkersTable } from './tables.ts';

/** All that must survive. Nothing in it is ever replaced or deleted by a deployment. */
export class StorageStack extends Stack {
  readonly jobs: JobsTable;
  readonly payloads: PayloadsTable;
  readonly endpoints: EndpointsTable;
  readonly workers: WorkersTable;
  readonly keys: KeysTable;

  constructor(scope: Construct, id: string, props: StackProps = {}) {
    super(scope, id, { ...props, terminationProtection: true });
    this.jobs = new JobsTable(this, 'Jobs');
    this.payloads = new PayloadsTable(this, 'Payloads');
    this.endpoints = new EndpointsTable(this, 'Endpoints');
    this.workers = new WorkersTable(this, 'Workers');
    this.keys = new KeysTable(this, 'Keys');
  }
}
