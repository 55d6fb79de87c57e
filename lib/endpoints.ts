import { CustomResource, Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { EndpointConfig } from '../core/endpoints/endpoint.ts';
import type { EndpointsTable } from './endpoint-tables.ts';
import { ServiceFunction } from './function.ts';

export interface EndpointsProps {
  readonly endpoints: EndpointsTable;
}

/** Keeps the record of each endpoint, as long as its stack is there. */
export class Endpoints extends Construct {
  /** Where CloudFormation sends the registrations of endpoint stacks. */
  readonly serviceToken: string;

  constructor(scope: Construct, id: string, { endpoints }: EndpointsProps) {
    super(scope, id);
    const register = new ServiceFunction(this, 'Register', {
      entry: 'lambda/endpoints/register.ts',
      description: 'Custom resource: registers an endpoint, and removes it with its stack.',
    });
    endpoints.grantRegister(register);
    this.serviceToken = register.functionArn;
  }

  /** Registers the endpoint of the stack that `scope` is in; from then on it answers. */
  register(scope: Construct, id: string, config: EndpointConfig): CustomResource {
    return new CustomResource(scope, id, {
      resourceType: 'Custom::Endpoint',
      serviceToken: this.serviceToken,
      serviceTimeout: Duration.minutes(1),
      properties: config,
    });
  }
}
