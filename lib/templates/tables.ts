/** The tables of templates and releases, and their grants: one grant for each purpose. */
import type { Construct } from 'constructs';
import type { Grantee } from '../constructs/grantee.ts';
import type { Reason, ReasonOf } from '../constructs/reasons.ts';
import { RetainedTable } from '../constructs/retained-table.ts';

const storesTemplate =
  'Stores the template, its name, which must be unique, and the version that a change replaces, for a limited time.';
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

  /** Lets the grantee read templates, and which endpoints use a template. */
  grantRead(grantee: Grantee, reason: Reason): void {
    this.grant(grantee, ['GetItem'], reason);
  }

  grantCreate(grantee: Grantee): void {
    this.grant(grantee, ['PutItem'], storesTemplate);
  }

  grantList(grantee: Grantee): void {
    this.grant(grantee, ['Query', 'BatchGetItem'], { Query: 'Lists the templates.', BatchGetItem: readsRunTime });
  }

  /** Lets the grantee read one template, the endpoints that use it and its run time. */
  grantShow(grantee: Grantee): void {
    this.grant(grantee, ['GetItem', 'BatchGetItem'], { GetItem: readsTemplate, BatchGetItem: readsRunTime });
  }

  grantUpdate(grantee: Grantee): void {
    this.grant(grantee, ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'], {
      GetItem: readsTemplate,
      BatchGetItem: readsRunTime,
      PutItem: storesTemplate,
      DeleteItem: 'Frees the former name of a template.',
    });
  }

  /** Lets the grantee read a replaced version of a template, and change the template to its settings. */
  grantRestore(grantee: Grantee): void {
    this.grant(grantee, ['GetItem', 'PutItem'], {
      GetItem: 'Reads the template, the version to restore, and which endpoints use the template.',
      PutItem: 'Stores the template, and the version that it replaces, for a limited time.',
    });
  }

  /** Lets the grantee delete a template. A deleted template is stored elsewhere for a limited time. */
  grantRemove(grantee: Grantee): void {
    const deletes = 'Deletes the template and its other items, and stores the deleted template for a limited time.';
    this.grant(grantee, ['GetItem', 'PutItem', 'DeleteItem'], {
      GetItem: readsTemplate,
      PutItem: deletes,
      DeleteItem: deletes,
    });
  }

  /** Lets the grantee create, change and delete declared templates. */
  grantDeclare(grantee: Grantee): void {
    this.grant(grantee, ['GetItem', 'PutItem', 'DeleteItem'], {
      GetItem: readsDeclared,
      PutItem: declares,
      DeleteItem: declares,
    });
  }

  /** Lets the grantee create, change and delete declared templates, and store which endpoints use them. */
  grantAssociate(grantee: Grantee): void {
    const uses = 'Associates an endpoint with a template, if the template still exists, or dissociates it.';
    this.grant(grantee, ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'], {
      GetItem: readsDeclared,
      PutItem: declares,
      DeleteItem: declares,
      UpdateItem: uses,
      ConditionCheckItem: uses,
    });
  }

  /** Lets the grantee add up the run time of workers. */
  grantRunTime(grantee: Grantee): void {
    this.grant(
      grantee,
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

  grantList(grantee: Grantee): void {
    this.grant(grantee, ['Query'], 'Lists the releases of the endpoint.');
  }

  /** Lets the grantee read the template of a revision. */
  grantRead(grantee: Grantee, reason: Reason): void {
    this.grant(grantee, ['GetItem'], reason);
  }

  grantWrite(grantee: Grantee, reason: ReasonOf<'PutItem' | 'UpdateItem'>): void {
    this.grant(grantee, ['PutItem', 'UpdateItem'], reason);
  }

  /** Lets the grantee set an expiry for the releases of a removed endpoint. */
  grantRetire(grantee: Grantee): void {
    this.grant(
      grantee,
      ['Query', 'UpdateItem'],
      'Sets an expiry for the history of an endpoint whose stack is removed.',
    );
  }
}
