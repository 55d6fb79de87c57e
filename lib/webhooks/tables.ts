import type { Construct } from 'constructs';
import type { Grantee } from '../constructs/grantee.ts';
import type { Reason } from '../constructs/reasons.ts';
import { RetainedTable } from '../constructs/retained-table.ts';

/** The states of deliveries: one small item for each delivery, and a second one for each failed delivery. */
export class DeliveriesTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'DELIVERIES_TABLE', partitionKey: 'partition', sortKey: 'delivery', expires: true });
  }

  grantRead(grantee: Grantee): void {
    this.grant(grantee, ['GetItem'], 'Reads the state of the webhook of a job.');
  }

  /** Lets the grantee read the delivery in one call with its job. */
  grantPoll(grantee: Grantee, reason: Reason): void {
    this.grant(grantee, ['BatchGetItem'], reason);
  }

  /** Lets the grantee claim attempts and store their outcomes. */
  grantDeliver(grantee: Grantee): void {
    const reason =
      'Claims each attempt, stores its outcome, lists failures, and reads the final state of a job that was retried later.';
    this.grant(grantee, ['GetItem', 'UpdateItem', 'PutItem'], reason);
  }

  /** Lets the grantee store the final state of a job. */
  grantKeep(grantee: Grantee): void {
    this.grant(grantee, ['UpdateItem'], 'Stores the final state of the job for a webhook that is not delivered yet.');
  }

  /** Lets the grantee check whether deliveries have finished, and fail those that are overdue. */
  grantSweep(grantee: Grantee): void {
    const reason = 'Checks whether deliveries have finished, and fails those that are overdue.';
    this.grant(grantee, ['GetItem', 'UpdateItem', 'PutItem'], reason);
  }

  /** Lets the grantee list the failed deliveries. */
  grantList(grantee: Grantee): void {
    this.grant(grantee, ['Query', 'GetItem'], 'Lists failed deliveries, and reads the state of each.');
  }

  /** Lets the grantee count the failed deliveries. */
  grantCount(grantee: Grantee, reason: Reason): void {
    this.grant(grantee, ['Query'], reason);
  }

  /** Lets the grantee start a failed delivery again. */
  grantReopen(grantee: Grantee): void {
    const reason =
      'Checks whether the delivery has failed, resets its attempts, and removes it from the list of failures.';
    this.grant(grantee, ['GetItem', 'UpdateItem', 'DeleteItem'], reason);
  }
}

/** The secrets that sign webhooks: encrypted, one item for each endpoint. */
export class SigningTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'SIGNING_TABLE', partitionKey: 'endpoint', expires: false });
  }

  /** Lets the grantee read the secrets, and create the first one of an endpoint. */
  grantSign(grantee: Grantee): void {
    const reason = 'Reads the secrets that sign webhooks, and creates the first one of an endpoint.';
    this.grant(grantee, ['GetItem', 'PutItem'], reason);
  }
}
