import type { Construct } from 'constructs';
import type { Client } from '../constructs/client.ts';
import { RetainedTable } from '../constructs/retained-table.ts';

/** What has become of webhooks: one small item for each delivery, and one more for each that has failed. */
export class DeliveriesTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'DELIVERIES_TABLE', partitionKey: 'partition', sortKey: 'delivery', expires: true });
  }

  grantRead(client: Client): void {
    this.grant(client, ['GetItem']);
  }

  /** To claim tries and note what has come of them. */
  grantDeliver(client: Client): void {
    this.grant(client, ['GetItem', 'UpdateItem', 'PutItem']);
  }

  /** To keep a job as it was at its end. */
  grantKeep(client: Client): void {
    this.grant(client, ['UpdateItem']);
  }

  /** To look whether they are over, and end those that cannot be made any more. */
  grantSweep(client: Client): void {
    this.grant(client, ['GetItem', 'UpdateItem', 'PutItem']);
  }

  /** To list those that have failed. */
  grantList(client: Client): void {
    this.grant(client, ['Query', 'GetItem']);
  }

  /** To have those that have failed made again. */
  grantReopen(client: Client): void {
    this.grant(client, ['GetItem', 'UpdateItem', 'DeleteItem']);
  }
}

/** The secrets by which webhooks are signed, per endpoint and encrypted. */
export class SigningTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'SIGNING_TABLE', partitionKey: 'endpoint', expires: false });
  }

  /** To read them, and to make the first one of an endpoint. */
  grantSign(client: Client): void {
    this.grant(client, ['GetItem', 'PutItem']);
  }
}
