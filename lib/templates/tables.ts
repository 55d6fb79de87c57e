/** The tables of templates and releases, and their grants: one grant for each purpose. */
import type { Construct } from 'constructs';
import type { Client } from '../constructs/client.ts';
import type { Reason, ReasonOf } from '../constructs/reasons.ts';
import { RetainedTable } from '../constructs/retained-table.ts';

const storesTemplate = 'Stores the template, and its name, which must be unique.';
const readsTemplate = 'Reads the template, and which endpoints use it.';
const readsRunTime = 'Reads the run time of the templates.';
const readsDeclared = 'Reads the declared template, its name, and the versions that an endpoint pins.';
const declares =
  'Writes the template of a file, its name, and the versions that an endpoint pins. Deletes these items when the file is removed.';

/**
 * Templates, their names, the endpoints that use them and their run time, each in its own collection of items.
 * The rollout function reads the table's stream and releases changed templates.
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

  /** Lets the client read templates, and which endpoints use a template. */
  grantRead(client: Client, reason: Reason): void {
    this.grant(client, ['GetItem'], reason);
  }

  grantCreate(client: Client): void {
    this.grant(client, ['PutItem'], storesTemplate);
  }

  grantList(client: Client): void {
    this.grant(client, ['Query', 'BatchGetItem'], { Query: 'Lists the templates.', BatchGetItem: readsRunTime });
  }

  /** Lets the client read one template, the endpoints that use it and its run time. */
  grantShow(client: Client): void {
    this.grant(client, ['GetItem', 'BatchGetItem'], { GetItem: readsTemplate, BatchGetItem: readsRunTime });
  }

  grantUpdate(client: Client): void {
    this.grant(client, ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'], {
      GetItem: readsTemplate,
      BatchGetItem: readsRunTime,
      PutItem: storesTemplate,
      DeleteItem: 'Frees the former name of a template.',
    });
  }

  /** Lets the client delete a template. A deleted template is stored elsewhere for a limited time. */
  grantRemove(client: Client): void {
    const deletes = 'Deletes the template and its other items, and stores the deleted template for a limited time.';
    this.grant(client, ['GetItem', 'PutItem', 'DeleteItem'], {
      GetItem: readsTemplate,
      PutItem: deletes,
      DeleteItem: deletes,
    });
  }

  /** Lets the client create, change and delete declared templates. */
  grantDeclare(client: Client): void {
    this.grant(client, ['GetItem', 'PutItem', 'DeleteItem'], {
      GetItem: readsDeclared,
      PutItem: declares,
      DeleteItem: declares,
    });
  }

  /** Lets the client create, change and delete declared templates, and store which endpoints use them. */
  grantAssociate(client: Client): void {
    const uses = 'Associates an endpoint with a template, if the template still exists, or dissociates it.';
    this.grant(client, ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'], {
      GetItem: readsDeclared,
      PutItem: declares,
      DeleteItem: declares,
      UpdateItem: uses,
      ConditionCheckItem: uses,
    });
  }

  /** Lets the client add up the run time of workers. */
  grantRunTime(client: Client): void {
    this.grant(
      client,
      ['ConditionCheckItem', 'PutItem', 'UpdateItem'],
      'Adds the run time of a worker to its template, once, if the template exists.',
    );
  }
}

/** The releases of endpoints and their outcomes. The item of a release is removed some months after it has ended. */
export class ReleasesTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'RELEASES_TABLE', partitionKey: 'endpoint', sortKey: 'release', expires: true });
  }

  grantList(client: Client): void {
    this.grant(client, ['Query'], 'Lists the releases of the endpoint.');
  }

  /** Lets the client read the template of a revision. */
  grantRead(client: Client, reason: Reason): void {
    this.grant(client, ['GetItem'], reason);
  }

  grantWrite(client: Client, reason: ReasonOf<'PutItem' | 'UpdateItem'>): void {
    this.grant(client, ['PutItem', 'UpdateItem'], reason);
  }

  /** Lets the client set an expiry for the releases of a removed endpoint. */
  grantRetire(client: Client): void {
    this.grant(
      client,
      ['Query', 'UpdateItem'],
      'Sets an expiry for the history of an endpoint whose stack is removed.',
    );
  }
}
