/** The tables of templates and releases, and what may be done with them: one grant per intention. */
import { DynamoEventSource, type StreamEventSourceProps } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Construct } from 'constructs';
import type { Client } from '../constructs/client.ts';
import type { ServiceFunction } from '../constructs/function.ts';
import { RetainedTable } from '../constructs/retained-table.ts';

/**
 * Templates, the names that they have, who uses them and how long their workers ran: a collection of items each
 * (`aws/templates.ts`). Its stream is what releases follow from.
 */
export class TemplatesTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      variable: 'TEMPLATES_TABLE',
      partitionKey: 'collection',
      sortKey: 'item',
      expires: true,
      streamed: true,
    });
  }

  /** To read what endpoints run, and who uses a template. */
  grantRead(client: Client): void {
    this.grant(client, ['GetItem']);
  }

  grantCreate(client: Client): void {
    this.grant(client, ['PutItem']);
  }

  grantList(client: Client): void {
    this.grant(client, ['Query', 'BatchGetItem']);
  }

  /** To tell of one template, who uses it and how long its workers ran. */
  grantShow(client: Client): void {
    this.grant(client, ['GetItem', 'BatchGetItem']);
  }

  grantUpdate(client: Client): void {
    this.grant(client, ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem']);
  }

  /** What is deleted is put where it is kept for a while. */
  grantRemove(client: Client): void {
    this.grant(client, ['GetItem', 'PutItem', 'DeleteItem']);
  }

  /** To make, change and delete templates that are declared. */
  grantDeclare(client: Client): void {
    this.grant(client, ['GetItem', 'PutItem', 'DeleteItem']);
  }

  /** The same, and to note which endpoints use which. */
  grantUse(client: Client): void {
    this.grant(client, ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem']);
  }

  /** To note how long workers ran. */
  grantMeter(client: Client): void {
    this.grant(client, ['PutItem', 'UpdateItem']);
  }

  /** Calls the function with changes. */
  feed(consumer: ServiceFunction, props: StreamEventSourceProps): void {
    consumer.addEventSource(new DynamoEventSource(this.followedBy(consumer), props));
  }
}

/** What endpoints were told to run, and what became of it: one item per release, kept for some months. */
export class ReleasesTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'RELEASES_TABLE', partitionKey: 'endpoint', sortKey: 'release', expires: true });
  }

  grantList(client: Client): void {
    this.grant(client, ['Query']);
  }

  /** To know what a revision was released with. */
  grantRead(client: Client): void {
    this.grant(client, ['GetItem']);
  }

  grantNote(client: Client): void {
    this.grant(client, ['PutItem', 'UpdateItem']);
  }

  /** To have those of an endpoint that is gone expire. */
  grantRetire(client: Client): void {
    this.grant(client, ['Query', 'UpdateItem']);
  }
}
