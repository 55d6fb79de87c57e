import { Construct } from 'constructs';
import type { ManagementOperation } from '../core/routes.ts';
import type { EndpointsTable, WorkersTable } from './endpoint-tables.ts';
import { ServiceFunction } from './function.ts';
import type { JobsTable } from './job-tables.ts';
import type { ReleasesTable, TemplatesTable } from './template-tables.ts';
import { Templates } from './templates.ts';

export interface ManagementProps {
  readonly jobs: JobsTable;
  readonly endpoints: EndpointsTable;
  readonly workers: WorkersTable;
  readonly templates: TemplatesTable;
  readonly releases: ReleasesTable;
}

/** The operations of the management interface: one function each, with the access that it needs. */
export class Management extends Construct {
  readonly functions: Readonly<Record<ManagementOperation, ServiceFunction>>;

  constructor(scope: Construct, id: string, tables: ManagementProps) {
    super(scope, id);
    const endpoints = new ServiceFunction(this, 'Endpoints', {
      entry: 'lambda/management/endpoints.ts',
      description: 'GET /endpoints: lists the endpoints that a key may call.',
    });
    tables.endpoints.grantList(endpoints);
    tables.workers.grantList(endpoints);
    tables.templates.grantRead(endpoints);

    const releases = new ServiceFunction(this, 'Releases', {
      entry: 'lambda/management/releases.ts',
      description: 'GET /endpoints/{endpoint}/releases: lists what an endpoint was told to run.',
    });
    tables.endpoints.grantRead(releases);
    tables.releases.grantList(releases);

    const resume = new ServiceFunction(this, 'Resume', {
      entry: 'lambda/management/resume.ts',
      description: 'POST /endpoints/{endpoint}/resume: lets an endpoint start workers again that backs off.',
    });
    tables.endpoints.grantRead(resume);
    tables.endpoints.grantNote(resume);

    const workers = new ServiceFunction(this, 'Workers', {
      entry: 'lambda/management/workers.ts',
      description: 'GET /endpoints/{endpoint}/workers: lists the workers of an endpoint.',
    });
    tables.endpoints.grantRead(workers);
    tables.workers.grantList(workers);
    tables.releases.grantRead(workers);

    const findJob = new ServiceFunction(this, 'FindJob', {
      entry: 'lambda/management/find-job.ts',
      description: 'GET /jobs/{job}: finds a job by its id.',
    });
    tables.endpoints.grantList(findJob);
    tables.endpoints.grantRead(findJob);
    tables.jobs.grantWatch(findJob);
    tables.jobs.grantSettle(findJob);

    const templates = new Templates(this, 'Templates', tables);
    this.functions = {
      endpoints,
      releases,
      resume,
      workers,
      'find-job': findJob,
      'create-template': templates.create,
      'list-templates': templates.list,
      'read-template': templates.read,
      'remove-template': templates.remove,
      'update-template': templates.update,
    };
  }
}
