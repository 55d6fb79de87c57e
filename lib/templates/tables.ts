/** The tables of templates and releases, and their grants: one per intention. */
import { DynamoEventSource, type StreamEventSourceProps } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Construct } from 'constructs';
import type { Client } from '../constructs/client.ts';
import type { ServiceFunction } from '../constructs/function.ts';
import type { Why, WhyOf } from '../constructs/reasons.ts';
import { byLambda, RetainedTable } from '../constructs/retained-table.ts';

const storesTemplate = 'Stores the template, and its name, so that there is one of each.';
const readsTemplate = 'Reads the template, and which endpoints use it.';
const readsRunTime = 'Reads how long workers of the templates ran.';
const declares =
  'Writes a template that a file declares, or that the file of an endpoint carries, with its name, and the version that an endpoint pins; deletes them when the file is removed.';

/**
 * Templates, their names, the endpoints that use them and how long their workers ran: a collection of items each.
 * Releases follow its stream.
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

  /** To read what endpoints run, and which endpoints use a template. */
  grantRead(client: Client, why: Why): void {
    this.grant(client, ['GetItem'], why);
  }

  grantCreate(client: Client): void {
    this.grant(client, ['PutItem'], storesTemplate);
  }

  grantList(client: Client): void {
    this.grant(client, ['Query', 'BatchGetItem'], { Query: 'Lists the templates.', BatchGetItem: readsRunTime });
  }

  /** To read one template, which endpoints use it and how long its workers ran. */
  grantShow(client: Client): void {
    this.grant(client, ['GetItem', 'BatchGetItem'], { GetItem: readsTemplate, BatchGetItem: readsRunTime });
  }

  grantUpdate(client: Client): void {
    this.grant(client, ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'], {
      GetItem: readsTemplate,
      BatchGetItem: readsRunTime,
      PutItem: storesTemplate,
      DeleteItem: 'Frees the name that a template had.',
    });
  }

  /** To delete a template: it is moved to where it is kept for a while. */
  grantRemove(client: Client): void {
    const deletes = 'Deletes the template and the items beside it, and puts it where it is kept for a while.';
    this.grant(client, ['GetItem', 'PutItem', 'DeleteItem'], {
      GetItem: readsTemplate,
      PutItem: deletes,
      DeleteItem: deletes,
    });
  }

  /** To make, change and delete templates that are declared. */
  grantDeclare(client: Client): void {
    this.grant(client, ['GetItem', 'PutItem', 'DeleteItem'], declares);
  }

  /** The same, and to store which endpoints use which templates. */
  grantUse(client: Client): void {
    const uses = 'Stores that an endpoint uses a template, if the template still exists, or that it no longer uses it.';
    this.grant(client, ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'], {
      GetItem: declares,
      PutItem: declares,
      DeleteItem: declares,
      UpdateItem: uses,
      ConditionCheckItem: uses,
    });
  }

  /** To add up how long workers ran. */
  grantRunTime(client: Client): void {
    this.grant(client, ['PutItem', 'UpdateItem'], 'Adds the run time of a worker to its template, once.');
  }

  /** Calls the function with changes. */
  feed(consumer: ServiceFunction, props: StreamEventSourceProps): void {
    consumer.addEventSource(new DynamoEventSource(this.followedBy(consumer), props));
    this.explainStream(consumer, byLambda);
  }
}

/** The releases of endpoints and their outcomes: one item per release, kept for some months. */
export class ReleasesTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'RELEASES_TABLE', partitionKey: 'endpoint', sortKey: 'release', expires: true });
  }

  grantList(client: Client): void {
    this.grant(client, ['Query'], 'Lists the releases of the endpoint.');
  }

  /** To read which template a revision was released with. */
  grantRead(client: Client, why: Why): void {
    this.grant(client, ['GetItem'], why);
  }

  grantWrite(client: Client, why: WhyOf<'PutItem' | 'UpdateItem'>): void {
    this.grant(client, ['PutItem', 'UpdateItem'], why);
  }

  /** To let the releases of a removed endpoint expire. */
  grantRetire(client: Client): void {
    this.grant(client, ['Query', 'UpdateItem'], 'Lets the history of an endpoint expire when its stack is removed.');
  }
}
