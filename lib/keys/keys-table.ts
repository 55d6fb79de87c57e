import type { Construct } from 'constructs';
import type { Client } from '../constructs/client.ts';
import { RetainedTable } from '../constructs/retained-table.ts';

/** Client keys, by the hash of their secret. */
export class KeysTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'KEYS_TABLE', partitionKey: 'hash', expires: false });
  }

  grantRead(client: Client): void {
    this.grant(client, ['GetItem']);
  }

  grantList(client: Client): void {
    this.grant(client, ['Scan']);
  }

  grantCreate(client: Client): void {
    this.grant(client, ['PutItem']);
  }

  /** To find a key by its id, which is the beginning of its hash, and to remove it. */
  grantRevoke(client: Client): void {
    this.grant(client, ['Scan', 'DeleteItem']);
  }
}
