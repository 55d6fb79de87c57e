import type { Construct } from 'constructs';
import type { Client } from '../constructs/client.ts';
import { RetainedTable } from '../constructs/retained-table.ts';

/** Client keys, by the hash of their secret. */
export class KeysTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'KEYS_TABLE', partitionKey: 'hash', expires: false });
  }

  grantRead(client: Client): void {
    const reason =
      'Looks the key up by the hash of its secret. The ingress does this for large bodies, which bypass API Gateway.';
    this.grant(client, ['GetItem'], reason);
  }

  grantList(client: Client): void {
    this.grant(client, ['Scan'], 'Lists the keys.');
  }

  grantCreate(client: Client): void {
    this.grant(client, ['PutItem'], 'Stores the hash of a new key, and its permissions.');
  }

  /** Lets the client find a key by its id, which is a prefix of its hash, and remove the key. */
  grantRevoke(client: Client): void {
    this.grant(client, ['Scan', 'DeleteItem'], {
      Scan: 'Finds the key by its id in the list of all keys.',
      DeleteItem: 'Removes the key.',
    });
  }
}
