import { Duration, Stack } from 'aws-cdk-lib';
import { type IAuthorizer, IdentitySource, RequestAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { DECISION_CACHE } from '../../core/limits.ts';
import { ServiceFunction } from '../constructs/function.ts';
import type { EndpointsTable } from '../endpoints/tables.ts';
import type { SignIn } from '../users/sign-in.ts';
import type { KeysTable } from './keys-table.ts';

export interface AuthorizerProps {
  readonly keys: KeysTable;
  readonly endpoints: EndpointsTable;
}

/** Checks which caller may call which operation, and names the bucket whose rate limits apply to the call. */
export class Authorizer extends Construct {
  readonly #decide: ServiceFunction;

  constructor(scope: Construct, id: string, { keys, endpoints }: AuthorizerProps) {
    super(scope, id);
    this.#decide = new ServiceFunction(this, 'Authorize', {
      entry: 'lambda/authorizer/authorize.ts',
      description: 'Checks client keys and selects the rate-limit bucket.',
      reserving: 'authorizer',
    });
    keys.grantRead(this.#decide);
    endpoints.grantRead(this.#decide, 'Reads the endpoint of the request.');
    this.#decide.addEnvironment('THROTTLE_SCOPE', Stack.of(this).stackName);
  }

  /** Also accepts access tokens of users of the console. */
  acceptUsers({ issuer, client }: Pick<SignIn, 'issuer' | 'client'>): void {
    this.#decide.addEnvironment('TOKEN_ISSUER', issuer);
    this.#decide.addEnvironment('TOKEN_CLIENT', client);
  }

  /**
   * Creates the authorizer of one interface; two APIs of API Gateway cannot share an authorizer.
   *
   * API Gateway caches each decision for one `Authorization` header, method and path. The method and the path
   * determine the endpoint and the operation, and with them the permission and the bucket. A request without an
   * `Authorization` header gets 401, and the function is not called.
   */
  for(api: string): IAuthorizer {
    return new RequestAuthorizer(this, api, {
      handler: this.#decide,
      identitySources: [
        IdentitySource.header('Authorization'),
        IdentitySource.context('httpMethod'),
        IdentitySource.context('path'),
      ],
      resultsCacheTtl: Duration.millis(DECISION_CACHE),
    });
  }
}
