import type { Construct } from 'constructs';
import type { Client } from '../constructs/client.ts';
import type { Reason } from '../constructs/reasons.ts';
import { RetainedTable } from '../constructs/retained-table.ts';

/** The states of deliveries: one small item for each delivery, and a second one for each failed delivery. */
export class DeliveriesTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'DELIVERIES_TABLE', partitionKey: 'partition', sortKey: 'delivery', expires: true });
  }

  grantRead(client: Client): void {
    this.grant(client, ['GetItem'], 'Reads the state of the webhook of a job.');
  }

  /** Lets the client read the delivery in one call with its job. */
  grantPoll(client: Client, reason: Reason): void {
    this.grant(client, ['BatchGetItem'], reason);
  }

  /** Lets the client claim attempts and store their outcomes. */
  grantDeliver(client: Client): void {
    const reason =
      'Claims each attempt, stores its outcome, lists failures, and reads the final state of a job that was retried later.';
    this.grant(client, ['GetItem', 'UpdateItem', 'PutItem'], reason);
  }

  /** Lets the client store the final state of a job. */
  grantKeep(client: Client): void {
    this.grant(client, ['UpdateItem'], 'Stores the final state of the job for a webhook that is not delivered yet.');
  }

  /** Lets the client check whether deliveries have finished, and fail those that are overdue. */
  grantSweep(client: Client): void {
    const reason = 'Checks whether deliveries have finished, and fails those that are overdue.';
    this.grant(client, ['GetItem', 'UpdateItem', 'PutItem'], reason);
  }

  /** Lets the client list the failed deliveries. */
  grantList(client: Client): void {
    this.grant(client, ['Query', 'GetItem'], 'Lists failed deliveries, and reads the state of each.');
  }

  /** Lets the client start a failed delivery again. */
  grantReopen(client: Client): void {
    const reason =
      'Checks whether the delivery has failed, resets its attempts, and removes it from the list of failures.';
    this.grant(client, ['GetItem', 'UpdateItem', 'DeleteItem'], reason);
  }
}

/** The secrets that sign webhooks: encrypted, one item for each endpoint. */
export class SigningTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'SIGNING_TABLE', partitionKey: 'endpoint', expires: false });
  }

  /** Lets the client read the secrets, and create the first one of an endpoint. */
  grantSign(client: Client): void {
    const reason = 'Reads the secrets that sign webhooks, and creates the first one of an endpoint.';
    this.grant(client, ['GetItem', 'PutItem'], reason);
  }
}
