import { Duration, Stack } from 'aws-cdk-lib';
import {
  ApiKeySourceType,
  AuthorizationType,
  CfnRestApi,
  EndpointAccessMode,
  EndpointType,
  type IAuthorizer,
  LambdaIntegration,
  type Resource,
  ResponseTransferMode,
  RestApi,
  SecurityPolicy,
  type Stage,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { openapiRoute, type Route } from '../../core/routes.ts';
import { acknowledge } from '../constructs/checks.ts';
import type { Client } from '../constructs/client.ts';
import { ServiceFunction } from '../constructs/function.ts';
import type { PrivateLink } from '../front-door/private-link.ts';
import { accessLogOf } from './access-log.ts';
import { addPreflights } from './cors.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { addHeads } from './head.ts';
import { bucketOf, type LimitedMethod } from './rate-limits.ts';
import { addCatchAlls, catchAllLimits } from './unknown-routes.ts';

export interface ApiProps<Operation extends string> {
  /** Name of the API in the AWS console. */
  readonly name: string;
  /** The version in the base address. */
  readonly stage: string;
  readonly routes: Readonly<Record<Operation, Route>>;
  /** The functions of the routes that the ingress does not serve. */
  readonly functions: Readonly<Partial<Record<Operation, IFunction & Client>>>;
  /**
   * The connection to the ingress, which serves the routes without a function.
   * @default - every route has a function
   */
  readonly link?: PrivateLink | undefined;
  /** Serves the OpenAPI description, without a key. */
  readonly openapi: IFunction & Client;
  readonly authorizer: IAuthorizer;
  /** Origin allowed by CORS. @default - none */
  readonly corsOrigin?: string;
  /** Media types of bodies that are not text. @default - all bodies are text in UTF-8 */
  readonly binaryMediaTypes?: readonly string[];
  /**
   * Sentence of the error message that explains how to send a large request.
   * @default - none
   */
  readonly tooLarge?: string;
}

/** Maximum duration of a streamed response in API Gateway. The timeout of the function ends the response earlier. */
const streaming = { responseTransferMode: ResponseTransferMode.STREAM, timeout: Duration.minutes(15) };

/**
 * TLS 1.3, and TLS 1.2 with forward secrecy: Python 3.8 and curl of 2018 support both versions. Without a policy a
 * Regional API accepts TLS 1.0. `STRICT` also refuses a request whose `Host` differs from the name in the TLS
 * handshake.
 */
const tls = { policy: SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09, mode: EndpointAccessMode.STRICT } as const;

/**
 * A Regional REST API made from a table of routes. Every method of a route calls the authorizer and counts against
 * a bucket. The OpenAPI description needs no key, so it counts against the bucket of the stage.
 */
export class Api<Operation extends string> extends Construct {
  readonly stage: Stage;
  readonly methods: readonly LimitedMethod[];
  /** The host name of API Gateway's own address. */
  readonly host: string;
  /** API Gateway's own address with the stage, without a trailing slash. */
  readonly url: string;

  constructor(scope: Construct, id: string, props: ApiProps<Operation>) {
    super(scope, id);
    const { name, stage, routes, functions, link, openapi, authorizer, corsOrigin, tooLarge } = props;
    const { binaryMediaTypes } = props;
    const [openapiMethod] = openapiRoute.methods;
    const { rateLimit, burstLimit } = bucketOf(openapiRoute.limit);
    const openLimit = { throttlingRateLimit: rateLimit, throttlingBurstLimit: burstLimit };

    const ours = Object.values<Route>(routes);
    const described = [...ours, openapiRoute];

    const api = new RestApi(this, 'Api', {
      restApiName: name,
      endpointTypes: [EndpointType.REGIONAL],
      deployOptions: {
        stageName: stage,
        ...accessLogOf(this),
        methodOptions: {
          [`${openapiRoute.path}/${openapiMethod}`]: openLimit,
          [`${openapiRoute.path}/HEAD`]: openLimit,
          ...catchAllLimits(described),
        },
      },
      // The authorizer returns the hidden key. Clients never see it.
      apiKeySourceType: ApiKeySourceType.AUTHORIZER,
      cloudWatchRole: false,
      ...(binaryMediaTypes && { binaryMediaTypes: [...binaryMediaTypes] }),
    });
    // `RestApi` has no properties for these settings.
    if (!(api.node.defaultChild instanceof CfnRestApi)) throw new Error('The API has no CloudFormation resource.');
    api.node.defaultChild.securityPolicy = tls.policy;
    api.node.defaultChild.endpointAccessMode = tls.mode;

    function resourceAt(path: string, answering: Client): Resource {
      if (corsOrigin !== undefined) answering.addEnvironment('CORS_ORIGIN', corsOrigin);
      return api.root.resourceForPath(path);
    }

    // One method for each route and HTTP method.
    const operations = Object.keys(routes) as Operation[];
    const keyed = { authorizer, apiKeyRequired: true };
    const called = operations.flatMap((operation) => {
      const { methods, limit, streamed, path } = routes[operation];
      const its: (IFunction & Client) | undefined = functions[operation];
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
    this.methods = [...called, ...addHeads(api.root, { routes: ours, access: keyed, corsOrigin })];

    const open = { authorizationType: AuthorizationType.NONE };
    const description = new LambdaIntegration(openapi, { allowTestInvoke: false });
    const opened = resourceAt(openapiRoute.path, openapi).addMethod(openapiMethod, description, open);
    const heads = addHeads(api.root, { routes: [openapiRoute], access: open, corsOrigin });
    for (const method of [opened, ...heads.map((head) => head.method)])
      acknowledge(method, {
        APIG4: 'The description of the interface is also in the repository and contains no secrets.',
      });

    if (corsOrigin !== undefined) addPreflights(api.root, corsOrigin, described);
    for (const method of addCatchAlls(api, described, corsOrigin))
      acknowledge(method, { APIG4: 'API Gateway answers every caller with 404, without a function.' });
    // If the settings of the network change, the API needs a new deployment.
    if (link) api.latestDeployment?.addToLogicalId(link.network);
    addGatewayResponses(api, { corsOrigin, tooLarge });

    acknowledge(this, {
      APIG1:
        'Access logs need a logging role that is shared by the whole account, so they are enabled by `accessLogDays`.',
      APIG2: 'The use-cases check bodies and parameters, and report each invalid field.',
      APIG3: 'Keys and throttles guard every method. A web ACL is a standing cost, so it is enabled by `webAclRate`.',
      APIG6: 'Execution logs need a logging role that is shared by the whole account, and would contain bodies.',
      COG4: 'Clients are programs with keys of this service, which the authorizer checks on every method except the description.',
    });

    // CDK's own output contains a trailing slash. The stack has an output with the base address.
    api.node.tryRemoveChild('Endpoint');
    const { region, urlSuffix } = Stack.of(this);
    this.stage = api.deploymentStage;
    this.host = `${api.restApiId}.execute-api.${region}.${urlSuffix}`;
    this.url = `https://${this.host}/${stage}`;
  }
}

/** The functions that serve the OpenAPI descriptions of the two interfaces. They need no permissions. */
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
