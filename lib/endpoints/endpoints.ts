import { CustomResource } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { EndpointConfig } from '../../core/endpoints/endpoint.ts';
import { ServiceFunction, serviceTimeoutOf } from '../constructs/function.ts';
import type { EndpointsTable } from './tables.ts';

/**
 * The configuration of an endpoint, from its stack. Lists are JSON strings, because CloudFormation would turn numbers
 * into strings.
 */
type Registration = Omit<EndpointConfig, 'workerPrice' | 'placement'> & {
  /** List of examples as JSON. */
  readonly examples?: string | undefined;
  /** Sizes of a worker and of an instance of its pool, as JSON. */
  readonly placement?: string | undefined;
  /** Hourly prices of a worker by Region, as JSON. */
  readonly workerPrices?: string | undefined;
};

export interface EndpointsProps {
  readonly endpoints: EndpointsTable;
}

/** Stores the configuration of each endpoint in the table while its stack exists. */
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

  /** ARN of the function that CloudFormation calls to register the endpoint of each endpoint stack. */
  get serviceToken(): string {
    return this.#register.functionArn;
  }

  /** Registers the endpoint of the stack that `scope` is in. Afterwards, the endpoint accepts requests. */
  register(scope: Construct, id: string, config: Registration): CustomResource {
    return new CustomResource(scope, id, {
      resourceType: 'Custom::Endpoint',
      serviceToken: this.serviceToken,
      serviceTimeout: serviceTimeoutOf(this.#register),
      properties: config,
    });
  }
}
