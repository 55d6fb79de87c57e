/** The tables of endpoints and workers, and their grants: one grant for each purpose. */
import type { Construct } from 'constructs';
import { startsPartitionOf } from '../../core/workers/partitions.ts';
import type { Grantee } from '../constructs/grantee.ts';
import type { Reason, ReasonOf } from '../constructs/reasons.ts';
import { RetainedTable } from '../constructs/retained-table.ts';

/**
 * The endpoints: an item `config` from the endpoint's stack, an item `state` and counters from the service. Further
 * partitions: `waits#NUMBER` has the slots of calls that wait. `waits#holders` has the processes that hold many
 * slots. `direct#ENDPOINT#OPERATION` has the buckets of requests that bypass API Gateway. `examples#ENDPOINT` has the
 * example inputs of the endpoint's file, which are read only for lists of endpoints. `pool#GROUP` has the state of an
 * Auto Scaling group.
 */
export class EndpointsTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'ENDPOINTS_TABLE', partitionKey: 'endpoint', sortKey: 'item', expires: false });
  }

  grantRead(grantee: Grantee, reason: Reason): void {
    this.grant(grantee, ['Query'], reason);
  }

  /** Lets the grantee read only one endpoint. */
  grantReadOne(grantee: Grantee, endpoint: string): void {
    this.grant(grantee, ['Query'], 'Reads only its own endpoint.', [endpoint]);
  }

  grantList(grantee: Grantee, reason: Reason): void {
    this.grant(grantee, ['Scan'], reason);
  }

  grantRegister(grantee: Grantee): void {
    const reason = 'Writes the configuration when the stack of an endpoint is deployed, and removes it with the stack.';
    this.grant(grantee, ['PutItem', 'DeleteItem'], reason);
  }

  /** Lets the grantee count calls of operations with an exact limit. */
  grantCountCalls(grantee: Grantee): void {
    this.grant(grantee, ['UpdateItem'], 'Counts the calls in the current window of 10 seconds.');
  }

  /**
   * Lets the grantee take and release slots of calls that wait, without access to endpoints. The items of slot holders
   * are read with the permission to read endpoints.
   */
  grantWait(grantee: Grantee): void {
    const reason = 'Takes a slot before the call waits, and releases it. Only in the partitions of slots.';
    this.grant(grantee, ['UpdateItem'], reason, 'waits#*');
  }

  /** Lets the grantee hold the slots of many calls. The slots become free soon after the process dies. */
  grantHoldSlots(grantee: Grantee): void {
    const reasons = {
      UpdateItem: 'Stores that the task is alive. Its slots become free soon after it dies.',
      DeleteItem: {
        reason: 'Removes the holder items of dead tasks. Only in the partitions of slots.',
        sometimes: 'only if a task starts at least 13 minutes after another task died.',
      },
    };
    this.grant(grantee, ['UpdateItem', 'DeleteItem'], reasons, 'waits#*');
  }

  /** Lets the grantee count requests that bypass API Gateway, without access to endpoints. */
  grantAdmitDirect(grantee: Grantee): void {
    const reason = 'Counts requests that bypass API Gateway. Only in the partitions of these counts.';
    this.grant(grantee, ['UpdateItem'], reason, 'direct#*');
  }

  /** Lets the grantee store which instances of pools it launches and ends, without access to endpoints. */
  grantPools(grantee: Grantee, reason: Reason): void {
    this.grant(grantee, ['GetItem', 'PutItem'], reason, 'pool#*');
  }

  /** Lets the grantee write counters and state. */
  grantUpdate(grantee: Grantee, reason: Reason): void {
    this.grant(grantee, ['UpdateItem'], reason);
  }
}

/** The leases of living workers and the starts of workers: one item each, in separate partitions of each endpoint. */
export class WorkersTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'WORKERS_TABLE', partitionKey: 'endpoint', sortKey: 'worker', expires: true });
  }

  grantList(grantee: Grantee, reason: Reason): void {
    this.grant(grantee, ['Query'], reason);
  }

  /** Lets the grantee read all leases, and remove those that have ended. */
  grantSweep(grantee: Grantee, reason: ReasonOf<'Query' | 'GetItem' | 'DeleteItem'>): void {
    this.grant(grantee, ['Query', 'GetItem', 'DeleteItem'], reason);
  }

  /** Lets the grantee read the starts of workers. */
  grantReadStarts(grantee: Grantee, reason: Reason): void {
    this.grant(grantee, ['GetItem'], reason, startsPartitionOf('*'));
  }

  /** Lets the grantee add times to the starts of workers. The grantee can also read all leases. */
  grantSaveStarts(grantee: Grantee, reason: Reason): void {
    this.grant(grantee, ['PutItem'], reason, startsPartitionOf('*'));
  }

  /** Lets the grantee store a lease among the workers of one endpoint, and read the leases of its other workers. */
  grantLease(grantee: Grantee, endpoint: string): void {
    const reason =
      'Renews its own lease, reads the lease of a worker whose job it might take over, finds ready workers of another revision during a release, and adds to its start when it was ready. Only among the leases and starts of its endpoint.';
    this.grant(grantee, ['Query', 'GetItem', 'PutItem', 'DeleteItem'], reason, [endpoint, startsPartitionOf(endpoint)]);
  }
}
