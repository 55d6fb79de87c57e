import type { Construct } from 'constructs';
import type { Grantee } from '../constructs/grantee.ts';
import { RetainedTable } from '../constructs/retained-table.ts';
import { historyDaysOf } from '../history/history-days.ts';

/** Why `npm start` does not use the keys of functions. */
export const onlyForTeams = 'Stacks of teams create keys of functions. A deployment from this repository has none.';

/** Grantee keys, by the hash of their secret. */
export class KeysTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'KEYS_TABLE', partitionKey: 'hash', expires: false });
  }

  grantRead(grantee: Grantee): void {
    const reason =
      'Looks the key up by the hash of its secret. The ingress does this for large bodies, which bypass API Gateway.';
    this.grant(grantee, ['GetItem'], reason);
  }

  grantList(grantee: Grantee, reason = 'Lists the keys.'): void {
    this.grant(grantee, ['Scan'], reason);
  }

  grantCreate(grantee: Grantee): void {
    grantee.addEnvironment('HISTORY_DAYS', String(historyDaysOf(this)));
    this.grant(grantee, ['PutItem'], 'Stores the hash of a new key, and its permissions.');
  }

  /** Lets the grantee find a key by its id, which is a prefix of its hash, and remove the key. */
  grantRevoke(grantee: Grantee): void {
    this.grant(grantee, ['Scan', 'DeleteItem'], {
      Scan: 'Finds the key by its id in the list of all keys.',
      DeleteItem: 'Removes the key.',
    });
  }

  /** Lets the grantee store keys, and remove keys whose hash it knows. */
  grantMaintain(grantee: Grantee): void {
    this.grant(grantee, ['PutItem', 'DeleteItem'], {
      PutItem: {
        reason: 'Stores the key of a function: the hash of its secret, and its endpoints.',
        unused: onlyForTeams,
      },
      DeleteItem: {
        reason: 'Revokes the key when the stack no longer declares it, by the hash in the description of its secret.',
        unused: onlyForTeams,
      },
    });
  }
}
