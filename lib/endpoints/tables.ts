/** The tables of endpoints and workers, and their grants: one grant for each purpose. */
import type { Construct } from 'constructs';
import { startsPartitionOf } from '../../core/workers/partitions.ts';
import type { Client } from '../constructs/client.ts';
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

  grantRead(client: Client, reason: Reason): void {
    this.grant(client, ['Query'], reason);
  }

  /** Lets the client read only one endpoint. */
  grantReadOne(client: Client, endpoint: string): void {
    this.grant(client, ['Query'], 'Reads only its own endpoint.', [endpoint]);
  }

  grantList(client: Client, reason: Reason): void {
    this.grant(client, ['Scan'], reason);
  }

  grantRegister(client: Client): void {
    const reason = 'Writes the configuration when the stack of an endpoint is deployed, and removes it with the stack.';
    this.grant(client, ['PutItem', 'DeleteItem'], reason);
  }

  /** Lets the client count calls of operations with an exact limit. */
  grantCountCalls(client: Client): void {
    this.grant(client, ['UpdateItem'], 'Counts the calls in the current window of 10 seconds.');
  }

  /**
   * Lets the client take and release slots of calls that wait, without access to endpoints. The items of slot holders
   * are read with the permission to read endpoints.
   */
  grantWait(client: Client): void {
    const reason = 'Takes a slot before the call waits, and releases it. Only in the partitions of slots.';
    this.grant(client, ['UpdateItem'], reason, 'waits#*');
  }

  /** Lets the client hold the slots of many calls. The slots become free soon after the process dies. */
  grantHoldSlots(client: Client): void {
    const reasons = {
      UpdateItem: 'Stores that the task is alive. Its slots become free soon after it dies.',
      DeleteItem: {
        reason: 'Removes the holder items of dead tasks. Only in the partitions of slots.',
        seldom: 'a task does this when it starts, if another task died at least 13 minutes earlier.',
      },
    };
    this.grant(client, ['UpdateItem', 'DeleteItem'], reasons, 'waits#*');
  }

  /** Lets the client count requests that bypass API Gateway, without access to endpoints. */
  grantAdmitDirect(client: Client): void {
    const reason = 'Counts requests that bypass API Gateway. Only in the partitions of these counts.';
    this.grant(client, ['UpdateItem'], reason, 'direct#*');
  }

  /** Lets the client store which instances of pools it launches and ends, without access to endpoints. */
  grantPools(client: Client, reason: Reason): void {
    this.grant(client, ['GetItem', 'PutItem'], reason, 'pool#*');
  }

  /** Lets the client write counters and state. */
  grantUpdate(client: Client, reason: Reason): void {
    this.grant(client, ['UpdateItem'], reason);
  }
}

/** The leases of living workers and the starts of workers: one item each, in separate partitions of each endpoint. */
export class WorkersTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'WORKERS_TABLE', partitionKey: 'endpoint', sortKey: 'worker', expires: true });
  }

  grantList(client: Client, reason: Reason): void {
    this.grant(client, ['Query'], reason);
  }

  /** Lets the client read all leases, and remove those that have ended. */
  grantSweep(client: Client, reason: ReasonOf<'Query' | 'GetItem' | 'DeleteItem'>): void {
    this.grant(client, ['Query', 'GetItem', 'DeleteItem'], reason);
  }

  /** Lets the client read the starts of workers. */
  grantReadStarts(client: Client, reason: Reason): void {
    this.grant(client, ['GetItem'], reason, startsPartitionOf('*'));
  }

  /** Lets the client add times to the starts of workers. The client can also read all leases. */
  grantSaveStarts(client: Client, reason: Reason): void {
    this.grant(client, ['PutItem'], reason, startsPartitionOf('*'));
  }

  /** Lets the client store a lease among the workers of one endpoint, and read the leases of its other workers. */
  grantLease(client: Client, endpoint: string): void {
    const reason =
      'Renews its own lease, reads the lease of a worker whose job it might take over, finds ready workers of another revision during a release, and adds to its start when it was ready. Only among the leases and starts of its endpoint.';
    this.grant(client, ['Query', 'GetItem', 'PutItem', 'DeleteItem'], reason, [endpoint, startsPartitionOf(endpoint)]);
  }
}
