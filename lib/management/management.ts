import { Construct } from 'constructs';
import type { ManagementOperation } from '../../core/routes.ts';
import { BUFFERED, ServiceFunction } from '../constructs/function.ts';
import type { EndpointsTable, WorkersTable } from '../endpoints/tables.ts';
import type { JobsTable } from '../jobs/tables.ts';
import type { KeysTable } from '../keys/keys-table.ts';
import type { ReleasesTable, TemplatesTable } from '../templates/tables.ts';
import { Templates } from '../templates/templates.ts';

export interface ManagementProps {
  readonly keys: KeysTable;
  readonly jobs: JobsTable;
  readonly endpoints: EndpointsTable;
  readonly workers: WorkersTable;
  readonly templates: TemplatesTable;
  readonly releases: ReleasesTable;
}

const readsEndpoint = 'Reads the endpoint of the request.';

/** The operations of the management interface, each with its function and the access that it needs. */
export class Management extends Construct {
  readonly functions: Readonly<Record<ManagementOperation, ServiceFunction>>;

  constructor(scope: Construct, id: string, tables: ManagementProps) {
    super(scope, id);
    const endpoints = new ServiceFunction(this, 'Endpoints', {
      entry: 'lambda/management/endpoints.ts',
      description: 'GET /endpoints: lists the endpoints that a key may call.',
      timeout: BUFFERED,
    });
    tables.endpoints.grantList(endpoints, 'Lists the endpoints.');
    tables.workers.grantList(endpoints, 'Counts the workers of each endpoint by their leases.');
    tables.templates.grantRead(endpoints, 'Reads the template of each endpoint.');

    const releases = new ServiceFunction(this, 'Releases', {
      entry: 'lambda/management/releases.ts',
      description: 'GET /endpoints/{endpoint}/releases: lists the releases of an endpoint.',
      timeout: BUFFERED,
    });
    tables.endpoints.grantRead(releases, readsEndpoint);
    tables.releases.grantList(releases);

    const resume = new ServiceFunction(this, 'Resume', {
      entry: 'lambda/management/resume.ts',
      description: 'POST /endpoints/{endpoint}/resume: lets an endpoint that backs off start workers again.',
      timeout: BUFFERED,
    });
    tables.endpoints.grantRead(resume, readsEndpoint);
    tables.endpoints.grantUpdate(resume, 'Removes the state of failed workers and of a release that was rolled back.');

    const { listKeys, createKey, revokeKey } = keyFunctions(this, tables.keys);
    const workers = new ServiceFunction(this, 'Workers', {
      entry: 'lambda/management/workers.ts',
      description: 'GET /endpoints/{endpoint}/workers: lists the workers of an endpoint.',
      timeout: BUFFERED,
    });
    tables.endpoints.grantRead(workers, readsEndpoint);
    tables.workers.grantList(workers, 'Lists the leases of the workers.');
    tables.workers.grantReadStarts(workers, 'Reads the start of each worker, to show its stages.');
    tables.releases.grantRead(workers, 'Reads which template version the revision of a worker was released with.');

    const findJob = new ServiceFunction(this, 'FindJob', {
      entry: 'lambda/management/find-job.ts',
      description: 'GET /jobs/{job}: finds a job by its id.',
      timeout: BUFFERED,
    });
    tables.endpoints.grantList(findJob, 'Lists the endpoints, because the job can be in any of them.');
    tables.endpoints.grantRead(findJob, 'Reads the endpoint of a waiting job, which a purge may have cancelled.');
    tables.jobs.grantWatch(
      findJob,
      'Searches for the job in all endpoints at the same time, because its id does not name the endpoint.',
    );
    tables.jobs.grantFinalize(findJob, 'Finalizes a job that has expired or timed out, before the client sees it.');

    const session = new ServiceFunction(this, 'Session', {
      entry: 'lambda/management/session.ts',
      description: 'GET /session: returns the caller and its permissions.',
      timeout: BUFFERED,
    });

    const templates = new Templates(this, 'Templates', tables);
    this.functions = {
      endpoints,
      releases,
      resume,
      'list-keys': listKeys,
      'create-key': createKey,
      'revoke-key': revokeKey,
      workers,
      'find-job': findJob,
      session,
      'create-template': templates.create,
      'list-templates': templates.list,
      'read-template': templates.read,
      'remove-template': templates.remove,
      'update-template': templates.update,
    };
  }
}

/** Creates the functions that manage client keys; they access only the keys table. */
function keyFunctions(scope: Construct, keys: KeysTable) {
  const listKeys = new ServiceFunction(scope, 'ListKeys', {
    entry: 'lambda/management/list-keys.ts',
    description: 'GET /keys: lists the client keys.',
    timeout: BUFFERED,
  });
  keys.grantList(listKeys);

  const createKey = new ServiceFunction(scope, 'CreateKey', {
    entry: 'lambda/management/create-key.ts',
    description: 'POST /keys: creates a client key.',
    timeout: BUFFERED,
  });
  keys.grantCreate(createKey);

  const revokeKey = new ServiceFunction(scope, 'RevokeKey', {
    entry: 'lambda/management/revoke-key.ts',
    description: 'DELETE /keys/{key}: revokes a client key.',
    timeout: BUFFERED,
  });
  keys.grantRevoke(revokeKey);
  return { listKeys, createKey, revokeKey };
}
