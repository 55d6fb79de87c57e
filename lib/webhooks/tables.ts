import type { Construct } from 'constructs';
import type { Client } from '../constructs/client.ts';
import { RetainedTable } from '../constructs/retained-table.ts';

/** The states of deliveries: one small item for each, and one more for each that has failed. */
export class DeliveriesTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'DELIVERIES_TABLE', partitionKey: 'partition', sortKey: 'delivery', expires: true });
  }

  grantRead(client: Client): void {
    this.grant(client, ['GetItem'], 'Reads the state of the webhook of a job.');
  }

  /** To claim attempts and store their outcomes. */
  grantDeliver(client: Client): void {
    const why =
      'Claims each attempt, stores its outcome, lists what has failed, and reads the job as it was if it was retried.';
    this.grant(client, ['GetItem', 'UpdateItem', 'PutItem'], why);
  }

  /** To keep a job as it was at its end. */
  grantKeep(client: Client): void {
    this.grant(client, ['UpdateItem'], 'Keeps the job as it was at its end, for a webhook that is not delivered yet.');
  }

  /** To find out whether deliveries are over, and to fail those for which it is too late. */
  grantSweep(client: Client): void {
    const why = 'Looks whether deliveries are over, and fails those for which it is too late.';
    this.grant(client, ['GetItem', 'UpdateItem', 'PutItem'], why);
  }

  /** To list the deliveries that have failed. */
  grantList(client: Client): void {
    this.grant(client, ['Query', 'GetItem'], 'Lists deliveries that have failed, and reads the state of each.');
  }

  /** To let a delivery that has failed begin again. */
  grantReopen(client: Client): void {
    const why = 'Looks whether the delivery has failed, gives it all its attempts, and removes it from the list.';
    this.grant(client, ['GetItem', 'UpdateItem', 'DeleteItem'], why);
  }
}

/** The secrets by which webhooks are signed, per endpoint and encrypted. */
export class SigningTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'SIGNING_TABLE', partitionKey: 'endpoint', expires: false });
  }

  /** To read the secrets, and to make the first one of an endpoint. */
  grantSign(client: Client): void {
    const why = 'Reads the secrets that sign, and makes the first one of an endpoint.';
    this.grant(client, ['GetItem', 'PutItem'], why);
  }
}
