/** The tables, and what may be done with them: one grant per intention, with the fewest actions that it takes. */
import type { Construct } from 'constructs';
import { partitionPatternOf } from '../core/jobs/partition.ts';
import type { Client } from './client.ts';
import { RetainedTable } from './retained-table.ts';

/** The truth about every job: one small item each. */
export class JobsTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'JOBS_TABLE', partitionKey: 'partition', sortKey: 'id', tidied: true });
  }

  grantSubmit(client: Client): void {
    this.grant(client, ['PutItem']);
  }

  grantRead(client: Client): void {
    this.grant(client, ['GetItem']);
  }

  grantList(client: Client): void {
    this.grant(client, ['Query']);
  }

  /** To take, run and finish the jobs of one endpoint. */
  grantWork(client: Client, endpoint: string): void {
    this.grant(client, ['GetItem', 'UpdateItem'], partitionPatternOf(endpoint));
  }
}

/** Inputs, outputs and errors too large for the job's own item. */
export class PayloadsTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'PAYLOADS_TABLE', partitionKey: 'partition', sortKey: 'item', tidied: true });
  }

  grantSubmit(client: Client): void {
    this.grant(client, ['PutItem']);
  }

  grantRead(client: Client): void {
    this.grant(client, ['GetItem']);
  }

  /** To load the inputs and store the outputs of one endpoint. */
  grantWork(client: Client, endpoint: string): void {
    this.grant(client, ['GetItem', 'PutItem'], partitionPatternOf(endpoint));
  }
}

/** What endpoints there are: an item `config` from the endpoint's stack, an item `state` from the service. */
export class EndpointsTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'ENDPOINTS_TABLE', partitionKey: 'endpoint', sortKey: 'item', tidied: false });
  }

  grantRead(client: Client): void {
    this.grant(client, ['Query']);
  }

  /** To read one endpoint and no other. */
  grantReadOne(client: Client, endpoint: string): void {
    this.grant(client, ['Query'], endpoint);
  }

  grantList(client: Client): void {
    this.grant(client, ['Scan']);
  }

  grantRegister(client: Client): void {
    this.grant(client, ['PutItem', 'DeleteItem']);
  }
}

/** Which workers are alive: one lease each. */
export class WorkersTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'WORKERS_TABLE', partitionKey: 'endpoint', sortKey: 'worker', tidied: true });
  }

  grantList(client: Client): void {
    this.grant(client, ['Query']);
  }

  /** To keep a lease among the workers of one endpoint, and to read those of the others. */
  grantLease(client: Client, endpoint: string): void {
    this.grant(client, ['GetItem', 'PutItem', 'DeleteItem', 'Query'], endpoint);
  }
}

/** Client keys, by the hash of their secret. */
export class KeysTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'KEYS_TABLE', partitionKey: 'hash', tidied: false });
  }

  grantRead(client: Client): void {
    this.grant(client, ['GetItem']);
  }
}
