/** The tables of endpoints and workers, and their grants: one per intention. */
import type { Construct } from 'constructs';
import type { Client } from '../constructs/client.ts';
import type { Why, WhyOf } from '../constructs/reasons.ts';
import { RetainedTable } from '../constructs/retained-table.ts';

/**
 * The endpoints: an item `config` from the endpoint's stack, an item `state` and counters from the service. Further
 * partitions: `waits#NUMBER` has the slots of calls that wait, `waits#holders` the processes that hold many slots,
 * `direct#ENDPOINT#OPERATION` the buckets of requests that take the direct way to the ingress, and `examples#ENDPOINT`
 * the example inputs of the endpoint's file, which only lists read.
 */
export class EndpointsTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'ENDPOINTS_TABLE', partitionKey: 'endpoint', sortKey: 'item', expires: false });
  }

  grantRead(client: Client, why: Why): void {
    this.grant(client, ['Query'], why);
  }

  /** To read one endpoint and no other. */
  grantReadOne(client: Client, endpoint: string): void {
    this.grant(client, ['Query'], 'Reads its own endpoint and no other.', [endpoint]);
  }

  grantList(client: Client, why: Why): void {
    this.grant(client, ['Scan'], why);
  }

  grantRegister(client: Client): void {
    const why = 'Writes the configuration when the stack of an endpoint is deployed, and removes it with the stack.';
    this.grant(client, ['PutItem', 'DeleteItem'], why);
  }

  /** To count calls whose limit is exact. */
  grantCountCalls(client: Client): void {
    this.grant(client, ['UpdateItem'], 'Counts the calls of the last 10 seconds.');
  }

  /**
   * To take and release slots of calls that wait, and to touch no endpoint. Holders of slots are read as endpoints are.
   */
  grantWait(client: Client): void {
    const why = 'Takes a slot before the call waits, and releases it; in the partitions of slots alone.';
    this.grant(client, ['UpdateItem'], why, 'waits#*');
  }

  /** To hold the slots of many calls, which are free soon after the process has died. */
  grantHoldSlots(client: Client): void {
    const why = {
      UpdateItem: 'Stores that the task is alive: its slots are free soon after its death.',
      DeleteItem: {
        why: 'Removes what dead tasks have stored about themselves; in the partitions of slots alone.',
        seldom: 'it does so when it starts, some eight minutes after the death of another task.',
      },
    };
    this.grant(client, ['UpdateItem', 'DeleteItem'], why, 'waits#*');
  }

  /** To count requests that take the direct way to the ingress, and to touch no endpoint. */
  grantAdmitDirect(client: Client): void {
    const why = 'Counts requests that take the direct way; in the partitions of these counts alone.';
    this.grant(client, ['UpdateItem'], why, 'direct#*');
  }

  /** To write counters and state. */
  grantUpdate(client: Client, why: Why): void {
    this.grant(client, ['UpdateItem'], why);
  }
}

/** The leases of living workers, one each. */
export class WorkersTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'WORKERS_TABLE', partitionKey: 'endpoint', sortKey: 'worker', expires: true });
  }

  grantList(client: Client, why: Why): void {
    this.grant(client, ['Query'], why);
  }

  /** To read all leases, and to remove those that have ended. */
  grantSweep(client: Client, why: WhyOf<'Query' | 'GetItem' | 'DeleteItem'>): void {
    this.grant(client, ['Query', 'GetItem', 'DeleteItem'], why);
  }

  /** To keep a lease among the workers of one endpoint, and to read those of the others. */
  grantLease(client: Client, endpoint: string): void {
    const why =
      'Keeps its lease, and reads that of the worker whose job it may take over; among those of its endpoint alone.';
    this.grant(client, ['GetItem', 'PutItem', 'DeleteItem'], why, [endpoint]);
  }
}
