import { Construct } from 'constructs';
import type { ManagementOperation } from '../core/routes.ts';
import type { EndpointsTable } from './endpoint-tables.ts';
import { ServiceFunction } from './function.ts';
import type { TemplatesTable } from './template-tables.ts';
import { Templates } from './templates.ts';

export interface ManagementProps {
  readonly endpoints: EndpointsTable;
  readonly templates: TemplatesTable;
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
    const templates = new Templates(this, 'Templates', tables);
    this.functions = {
      endpoints,
      'create-template': templates.create,
      'list-templates': templates.list,
      'read-template': templates.read,
      'remove-template': templates.remove,
      'update-template': templates.update,
    };
  }
}
