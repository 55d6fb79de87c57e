/** The tables of endpoints and workers, and what may be done with them: one grant per intention. */
import type { Construct } from 'constructs';
import type { Client } from '../constructs/client.ts';
import { RetainedTable } from '../constructs/retained-table.ts';

/**
 * What endpoints there are: an item `config` from the endpoint's stack, an item `state` and counters from the service.
 * Beside them, in partitions `waits#NUMBER`, the slots of calls that wait, in `waits#holders` the processes that hold many
 * of them, and in `direct#ENDPOINT#OPERATION` the buckets of requests that take the direct way to the ingress. `examples#ENDPOINT` has
 * the example inputs of the endpoint's file, which lists alone read.
 */
export class EndpointsTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'ENDPOINTS_TABLE', partitionKey: 'endpoint', sortKey: 'item', expires: false });
  }

  grantRead(client: Client): void {
    this.grant(client, ['Query']);
  }

  /** To read one endpoint and no other. */
  grantReadOne(client: Client, endpoint: string): void {
    this.grant(client, ['Query'], [endpoint]);
  }

  grantList(client: Client): void {
    this.grant(client, ['Scan']);
  }

  grantRegister(client: Client): void {
    this.grant(client, ['PutItem', 'DeleteItem']);
  }

  /** To count calls whose limit is exact. */
  grantCountCalls(client: Client): void {
    this.grant(client, ['UpdateItem']);
  }

  /** To take and release slots of calls that wait, and to touch no endpoint. Holders of slots are read as endpoints are. */
  grantWait(client: Client): void {
    this.grant(client, ['UpdateItem'], 'waits#*');
  }

  /** To hold the slots of many calls, so that they are free soon after the process has died. */
  grantHoldSlots(client: Client): void {
    this.grant(client, ['UpdateItem', 'DeleteItem'], 'waits#*');
  }

  /** To count requests that take the direct way to the ingress, and to touch no endpoint. */
  grantAdmitDirect(client: Client): void {
    this.grant(client, ['UpdateItem'], 'direct#*');
  }

  /** To keep counters and state. */
  grantNote(client: Client): void {
    this.grant(client, ['UpdateItem']);
  }
}

/** Which workers are alive: one lease each. */
export class WorkersTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'WORKERS_TABLE', partitionKey: 'endpoint', sortKey: 'worker', expires: true });
  }

  grantList(client: Client): void {
    this.grant(client, ['Query']);
  }

  /** To look through all leases and to remove those that have ended. */
  grantSweep(client: Client): void {
    this.grant(client, ['Query', 'GetItem', 'DeleteItem']);
  }

  /** To keep a lease among the workers of one endpoint, and to read those of the others. */
  grantLease(client: Client, endpoint: string): void {
    this.grant(client, ['GetItem', 'PutItem', 'DeleteItem'], [endpoint]);
  }
}
