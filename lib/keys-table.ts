import type { Construct } from 'constructs';
import type { Client } from './client.ts';
import { RetainedTable } from './retained-table.ts';

/** Client keys, by the hash of their secret. */
export class KeysTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'KEYS_TABLE', partitionKey: 'hash', tidied: false });
  }

  grantRead(client: Client): void {
    this.grant(client, ['GetItem']);
  }
}
