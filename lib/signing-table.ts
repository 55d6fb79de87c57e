import type { Construct } from 'constructs';
import type { Client } from './client.ts';
import { RetainedTable } from './retained-table.ts';

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
