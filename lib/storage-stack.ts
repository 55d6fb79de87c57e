import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { DeliveriesTable } from './deliveries-table.ts';
import { EndpointsTable, WorkersTable } from './endpoint-tables.ts';
import { ArrivalsTable, DeadlinesTable, JobsTable, PayloadsTable } from './job-tables.ts';
import { KeysTable } from './keys-table.ts';
import { PayloadBucket } from './payload-bucket.ts';
import { SecretsKey } from './secrets-key.ts';
import { SigningTable } from './signing-table.ts';
import { ReleasesTable, TemplatesTable } from './template-tables.ts';
import { Users } from './users.ts';
import { VolumeFileSystem } from './volume-file-system.ts';

/** All that must survive. Nothing in it is ever replaced or deleted by a deployment. */
export class StorageStack extends Stack {
  readonly jobs: JobsTable;
  readonly payloads: PayloadsTable;
  readonly objects: PayloadBucket;
  readonly secrets: SecretsKey;
  readonly deadlines: DeadlinesTable;
  readonly arrivals: ArrivalsTable;
  readonly deliveries: DeliveriesTable;
  readonly endpoints: EndpointsTable;
  readonly workers: WorkersTable;
  readonly keys: KeysTable;
  readonly templates: TemplatesTable;
  readonly releases: ReleasesTable;
  readonly signing: SigningTable;
  readonly volumes: VolumeFileSystem;
  readonly users: Users;

  constructor(scope: Construct, id: string, props: StackProps = {}) {
    super(scope, id, { ...props, terminationProtection: true });
    this.jobs = new JobsTable(this, 'Jobs');
    this.payloads = new PayloadsTable(this, 'Payloads');
    this.objects = new PayloadBucket(this, 'Objects');
    this.secrets = new SecretsKey(this, 'Secrets');
    this.deadlines = new DeadlinesTable(this, 'Deadlines');
    this.arrivals = new ArrivalsTable(this, 'Arrivals');
    this.deliveries = new DeliveriesTable(this, 'Deliveries');
    this.endpoints = new EndpointsTable(this, 'Endpoints');
    this.workers = new WorkersTable(this, 'Workers');
    this.keys = new KeysTable(this, 'Keys');
    this.templates = new TemplatesTable(this, 'Templates');
    this.releases = new ReleasesTable(this, 'Releases');
    this.signing = new SigningTable(this, 'Signing');
    this.volumes = new VolumeFileSystem(this, 'Volumes');
    this.users = new Users(this, 'Users');
  }
}
