import { Stack, type StackProps } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { EndpointsTable, WorkersTable } from '../endpoints/tables.ts';
import { HistoryTable } from '../history/table.ts';
import { PayloadBucket } from '../jobs/payload-bucket.ts';
import { SecretsKey } from '../jobs/secrets-key.ts';
import { ArrivalsTable, DeadlinesTable, JobsTable, PayloadsTable } from '../jobs/tables.ts';
import { KeysTable } from '../keys/keys-table.ts';
import { ReleasesTable, TemplatesTable } from '../templates/tables.ts';
import { Users } from '../users/users.ts';
import { DeliveriesTable, SigningTable } from '../webhooks/tables.ts';
import { VolumeFileSystem } from '../workers/volume-file-system.ts';

export interface StorageStackProps extends StackProps {
  /**
   * Key of the app that encrypts the data keys of secrets.
   * @default - a new key
   */
  readonly encryptionKey?: IKey | undefined;
}

/** All persistent data. Deployments never replace or delete any of these resources. */
export class StorageStack extends Stack {
  readonly jobs: JobsTable;
  readonly payloads: PayloadsTable;
  readonly objects: PayloadBucket;
  readonly secrets: SecretsKey;
  readonly deadlines: DeadlinesTable;
  readonly arrivals: ArrivalsTable;
  readonly history: HistoryTable;
  readonly deliveries: DeliveriesTable;
  readonly endpoints: EndpointsTable;
  readonly workers: WorkersTable;
  readonly keys: KeysTable;
  readonly templates: TemplatesTable;
  readonly releases: ReleasesTable;
  readonly signing: SigningTable;
  readonly volumes: VolumeFileSystem;
  readonly users: Users;

  constructor(scope: Construct, id: string, { encryptionKey, ...props }: StorageStackProps = {}) {
    super(scope, id, { ...props, terminationProtection: true });
    this.jobs = new JobsTable(this, 'Jobs');
    this.payloads = new PayloadsTable(this, 'Payloads');
    this.objects = new PayloadBucket(this, 'Objects');
    this.secrets = new SecretsKey(this, 'Secrets', encryptionKey);
    this.deadlines = new DeadlinesTable(this, 'Deadlines');
    this.arrivals = new ArrivalsTable(this, 'Arrivals');
    this.history = new HistoryTable(this, 'History');
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
