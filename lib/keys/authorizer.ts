import { Duration, Stack } from 'aws-cdk-lib';
import { type IAuthorizer, IdentitySource, RequestAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { ServiceFunction } from '../constructs/function.ts';
import type { EndpointsTable } from '../endpoints/tables.ts';
import type { SignIn } from '../users/sign-in.ts';
import type { KeysTable } from './keys-table.ts';

export interface AuthorizerProps {
  readonly keys: KeysTable;
  readonly endpoints: EndpointsTable;
}

/** Decides who may call what, and names the bucket whose rate limits a call counts against. */
export class Authorizer extends Construct {
  readonly #decide: ServiceFunction;

  constructor(scope: Construct, id: string, { keys, endpoints }: AuthorizerProps) {
    super(scope, id);
    this.#decide = new ServiceFunction(this, 'Authorize', {
      entry: 'lambda/authorizer/authorize.ts',
      description: 'Checks client keys and chooses the rate-limit bucket.',
      reserving: 'authorizer',
    });
    keys.grantRead(this.#decide);
    endpoints.grantRead(this.#decide, 'Reads the endpoint that the request is about.');
    this.#decide.addEnvironment('THROTTLE_SCOPE', Stack.of(this).stackName);
  }

  /** Accepts access tokens of users who sign in, beside client keys. */
  acceptUsers({ issuer, client }: Pick<SignIn, 'issuer' | 'client'>): void {
    this.#decide.addEnvironment('TOKEN_ISSUER', issuer);
    this.#decide.addEnvironment('TOKEN_CLIENT', client);
  }

  /**
   * An authorizer for one interface; API Gateway does not share them.
   *
   * Its answers are not cached: a cached one would be used for another endpoint, with the wrong permission and bucket.
   * A request without the header is answered 401 without a call.
   */
  for(api: string): IAuthorizer {
    return new RequestAuthorizer(this, api, {
      handler: this.#decide,
      identitySources: [IdentitySource.header('Authorization')],
      resultsCacheTtl: Duration.seconds(0),
    });
  }
}
