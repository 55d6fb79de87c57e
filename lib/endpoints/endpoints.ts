import { CustomResource } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { EndpointConfig } from '../../core/endpoints/endpoint.ts';
import { ServiceFunction, serviceTimeoutOf } from '../constructs/function.ts';
import type { EndpointsTable } from './tables.ts';

/** What a stack says of its endpoint. CloudFormation would make texts of the numbers in JSON. */
type Registration = Omit<EndpointConfig, 'workerPrice'> & {
  /** JSON text of a list of examples. */
  readonly examples?: string | undefined;
  /** JSON text of what a worker costs, by Region. */
  readonly workerPrices?: string | undefined;
};

export interface EndpointsProps {
  readonly endpoints: EndpointsTable;
}

/** Keeps the record of each endpoint, as long as its stack is there. */
export class Endpoints extends Construct {
  readonly #register: ServiceFunction;

  constructor(scope: Construct, id: string, { endpoints }: EndpointsProps) {
    super(scope, id);
    this.#register = new ServiceFunction(this, 'Register', {
      entry: 'lambda/endpoints/register.ts',
      description: 'Custom resource: registers an endpoint, and removes it with its stack.',
    });
    endpoints.grantRegister(this.#register);
  }

  /** Where CloudFormation sends the registrations of endpoint stacks. */
  get serviceToken(): string {
    return this.#register.functionArn;
  }

  /** Registers the endpoint of the stack that `scope` is in; from then on it answers. */
  register(scope: Construct, id: string, config: Registration): CustomResource {
    return new CustomResource(scope, id, {
      resourceType: 'Custom::Endpoint',
      serviceToken: this.serviceToken,
      serviceTimeout: serviceTimeoutOf(this.#register),
      properties: config,
    });
  }
}
