import { Construct } from 'constructs';
import { ServiceFunction } from './function.ts';

/** Tells whoever asks what the two interfaces are: one function each, which is granted nothing. */
export class OpenApi extends Construct {
  readonly jobs = new ServiceFunction(this, 'Jobs', {
    entry: 'lambda/openapi/jobs.ts',
    description: 'GET /openapi.json: describes the job interface.',
  });
  readonly management = new ServiceFunction(this, 'Management', {
    entry: 'lambda/openapi/management.ts',
    description: 'GET /openapi.json: describes the management interface.',
  });
}
