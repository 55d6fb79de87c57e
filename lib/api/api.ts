import { Duration } from 'aws-cdk-lib';
import {
  AuthorizationType,
  Deployment,
  type IResource,
  LambdaIntegration,
  Resource,
  ResponseTransferMode,
  RestApiBase,
  Stage,
  type StageOptions,
} from 'aws-cdk-lib/aws-apigateway';
import type { AddToResourcePolicyResult } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { linkRoute, openapiRoute, type Route } from '../../core/operations/routes.ts';
import { acknowledge } from '../constructs/acknowledge.ts';
import type { Grantee } from '../constructs/grantee.ts';
import type { PrivateLink } from '../front-door/private-link.ts';
import { accessLogOf } from './access-log.ts';
import type { Addressed } from './address.ts';
import { addPreflights } from './cors.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { addHeads } from './head.ts';
import { bucketOf, type LimitedMethod } from './rate-limits.ts';
import { addCatchAlls, catchAllLimits } from './unknown-routes.ts';

export interface ApiProps<Operation extends string> {
  readonly address: Addressed;
  /** The version in the base address. */
  readonly stage: string;
  readonly routes: Readonly<Record<Operation, Route>>;
  /** The functions of the routes that the ingress does not serve. */
  readonly functions: Readonly<Partial<Record<Operation, IFunction & Grantee>>>;
  /**
   * The connection to the ingress, which serves the routes without a function.
   * @default - every route has a function
   */
  readonly link?: PrivateLink | undefined;
  /** Serves the OpenAPI description, without a key. */
  readonly openapi: IFunction & Grantee;
  /**
   * Origin allowed by CORS.
   * @default - none
   */
  readonly corsOrigin: string | undefined;
  /**
   * Sentence of the error message that explains how to send a large request.
   * @default - none
   */
  readonly tooLarge?: string;
}

/** Maximum duration of a streamed response in API Gateway. The timeout of the function ends the response earlier. */
const streaming = { responseTransferMode: ResponseTransferMode.STREAM, timeout: Duration.minutes(15) };

/**
 * Resources, methods and a stage for a REST API that exists, as `RestApi` has them. CDK's import of a REST API has no
 * deployment, so a changed method would not be deployed.
 */
class RoutedApi extends RestApiBase {
  readonly restApiId: string;
  readonly restApiRootResourceId: string;
  readonly root: IResource;
  readonly #deployment: Deployment;

  constructor(scope: Construct, id: string, { restApiId, rootResourceId, settings }: Addressed, options: StageOptions) {
    super(scope, id);
    this.restApiId = restApiId;
    this.restApiRootResourceId = rootResourceId;
    this.root = Resource.fromResourceAttributes(this, 'Default', {
      restApi: this,
      resourceId: rootResourceId,
      path: '/',
    });
    // Methods and responses of API Gateway add themselves to the id of the deployment, and it depends on them.
    this.#deployment = new Deployment(this, 'Deployment', { api: this });
    this.#deployment.addToLogicalId(settings);
    this.deploymentStage = new Stage(this, 'Stage', { deployment: this.#deployment, ...options });
  }

  override get latestDeployment(): Deployment {
    return this.#deployment;
  }

  override addToResourcePolicy(): AddToResourcePolicyResult {
    return { statementAdded: false };
  }
}

/** Returns the limits of the stage for routes without a key, by the names of their methods in API Gateway. */
function stageLimits(routes: readonly Route[]) {
  const limits = routes.flatMap(({ path, methods, limit }) => {
    const { rateLimit, burstLimit } = bucketOf(limit);
    const throttles = { throttlingRateLimit: rateLimit, throttlingBurstLimit: burstLimit };
    return [...methods, 'HEAD'].map((method) => [`${path}/${method}`, throttles] as const);
  });
  return Object.fromEntries(limits);
}

/**
 * The routes of an interface, made from a table. Every method of a route calls the authorizer and counts against
 * a bucket. The OpenAPI description needs no key, so it counts against the bucket of the stage.
 */
export class Api<Operation extends string> extends Construct {
  readonly stage: Stage;
  readonly methods: readonly LimitedMethod[];

  constructor(scope: Construct, id: string, props: ApiProps<Operation>) {
    super(scope, id);
    const { address, stage, routes, functions, link, openapi, corsOrigin, tooLarge } = props;
    const [openapiMethod] = openapiRoute.methods;

    const operationRoutes = Object.values<Route>(routes);
    // The routes without a key.
    const keyless: Route[] = link ? [openapiRoute, linkRoute] : [openapiRoute];
    const described = [...operationRoutes, ...keyless];

    const api = new RoutedApi(this, 'Api', address, {
      stageName: stage,
      ...accessLogOf(this),
      methodOptions: {
        ...stageLimits(keyless),
        ...catchAllLimits(described),
      },
    });

    function resourceAt(path: string, answering: Grantee): Resource {
      if (corsOrigin !== undefined) answering.addEnvironment('CORS_ORIGIN', corsOrigin);
      return api.root.resourceForPath(path);
    }

    // One method for each route and HTTP method.
    const operations = Object.keys(routes) as Operation[];
    const authorizer = { authorizerId: address.authorizerId, authorizationType: AuthorizationType.CUSTOM };
    const keyed = { authorizer, apiKeyRequired: true };
    const called = operations.flatMap((operation) => {
      const { methods, limit, streamed, path } = routes[operation];
      const its: (IFunction & Grantee) | undefined = functions[operation];
      if (its) {
        const transfer = streamed ? streaming : {};
        const integration = new LambdaIntegration(its, { allowTestInvoke: false, ...transfer });
        const resource = resourceAt(path, its);
        return methods.map((httpMethod) => ({ method: resource.addMethod(httpMethod, integration, keyed), limit }));
      }
      if (!link) throw new Error(`The operation ${operation} has neither a function nor an ingress.`);
      const resource = resourceAt(path, link.server);
      return methods.map((httpMethod) => {
        const method = link.addMethod(resource, { path, httpMethod, access: keyed });
        return { method, limit };
      });
    });

    // Each `HEAD` method counts against its own bucket, which is as large as the bucket of the `GET` method.
    this.methods = [...called, ...addHeads(api.root, { routes: operationRoutes, access: keyed, corsOrigin })];

    const open = { authorizationType: AuthorizationType.NONE };
    const description = new LambdaIntegration(openapi, { allowTestInvoke: false });
    const opened = resourceAt(openapiRoute.path, openapi).addMethod(openapiMethod, description, open);
    const [openapiHead, linkHead] = addHeads(api.root, { routes: keyless, access: open, corsOrigin });
    for (const method of [opened, openapiHead?.method].filter((each) => each !== undefined))
      acknowledge(method, {
        APIG4: 'The description of the interface is also in the repository and contains no secrets.',
      });

    if (link) {
      const [httpMethod] = linkRoute.methods;
      const health = link.addMethod(api.root.resourceForPath(linkRoute.path), {
        ...linkRoute,
        httpMethod,
        access: open,
      });
      for (const method of [health, linkHead?.method].filter((each) => each !== undefined))
        acknowledge(method, {
          APIG4: 'The sweeper has no key. The response says only whether the ingress is healthy.',
        });
    }

    if (corsOrigin !== undefined) addPreflights(api.root, corsOrigin, described);
    for (const method of addCatchAlls(api, described, corsOrigin))
      acknowledge(method, { APIG4: 'API Gateway answers every caller with 404, without a function.' });
    // If the settings of the network change, the API needs a new deployment.
    if (link) api.latestDeployment.addToLogicalId(link.network);
    addGatewayResponses(api, { corsOrigin, tooLarge });

    acknowledge(this, {
      APIG1:
        'Access logs need a logging role that is shared by the whole account, so they are enabled by `accessLogDays`.',
      APIG3: 'Keys and throttles guard every method. A web ACL is a standing cost, so it is enabled by `webAclRate`.',
      APIG6: 'Execution logs need a logging role that is shared by the whole account, and would contain bodies.',
      COG4: 'Clients are programs with keys of this service, which the authorizer checks on every method except the description.',
    });
    this.stage = api.deploymentStage;
  }
}
