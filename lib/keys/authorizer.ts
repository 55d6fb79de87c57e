import { Duration, Stack } from 'aws-cdk-lib';
import { CfnAuthorizer, IdentitySource } from 'aws-cdk-lib/aws-apigateway';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
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

/** The authorizer of one interface. */
export interface Guard {
  readonly authorizerId: string;
  /** Settings that take effect only with a new deployment of the routes. */
  readonly settings: object;
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
   * Creates the authorizer of one interface; two APIs of API Gateway cannot share an authorizer. CDK's own construct
   * belongs to the stack of the methods, and these can be in another stack.
   *
   * API Gateway caches each decision for one `Authorization` header, method and path. The method and the path
   * determine the endpoint and the operation, and with them the permission and the bucket. A request without an
   * `Authorization` header gets 401, and the function is not called.
   */
  guard(scope: Construct, id: string, restApiId: string): Guard {
    const { partition, region } = Stack.of(scope);
    const { functionArn } = this.#decide;
    const settings = {
      name: `${scope.node.id}Authorizer`,
      restApiId,
      type: 'REQUEST',
      authorizerUri: `arn:${partition}:apigateway:${region}:lambda:path/2015-03-31/functions/${functionArn}/invocations`,
      identitySource: [
        IdentitySource.header('Authorization'),
        IdentitySource.context('httpMethod'),
        IdentitySource.context('path'),
      ].join(),
      authorizerResultTtlInSeconds: Duration.millis(DECISION_CACHE).toSeconds(),
    };
    const { attrAuthorizerId: authorizerId } = new CfnAuthorizer(scope, id, settings);
    this.#decide.addPermission(`${scope.node.id}Permission`, {
      principal: new ServicePrincipal('apigateway.amazonaws.com'),
      sourceArn: Stack.of(scope).formatArn({
        service: 'execute-api',
        resource: restApiId,
        resourceName: `authorizers/${authorizerId}`,
      }),
    });
    return { authorizerId, settings };
  }
}
