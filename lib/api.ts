import { Duration, Stack } from 'aws-cdk-lib';
import {
  ApiKeySourceType,
  EndpointType,
  type IAuthorizer,
  LambdaIntegration,
  type Method,
  ResponseTransferMode,
  RestApi,
  type Stage,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Route, RouteLimit } from '../core/routes.ts';
import { acknowledge } from './checks.ts';
import { addGatewayResponses } from './gateway-responses.ts';

export interface ApiProps<Operation extends string> {
  /** What the API is called in the AWS console. */
  readonly name: string;
  /** The version in the base address. */
  readonly stage: string;
  readonly routes: Readonly<Record<Operation, Route>>;
  /** The function behind each route. */
  readonly functions: Readonly<Record<Operation, IFunction>>;
  readonly authorizer: IAuthorizer;
}

export interface LimitedMethod {
  readonly method: Method;
  readonly limit: RouteLimit;
}

/** The longest that API Gateway streams a response: how long one takes is up to its function's timeout. */
const streaming = { responseTransferMode: ResponseTransferMode.STREAM, timeout: Duration.minutes(15) };

/** A Regional REST API made of a table of routes. Every method asks the authorizer and counts against a bucket. */
export class Api<Operation extends string> extends Construct {
  readonly stage: Stage;
  readonly methods: readonly LimitedMethod[];
  /** The base address: the stage's, without a slash at its end. */
  readonly url: string;

  constructor(scope: Construct, id: string, props: ApiProps<Operation>) {
    super(scope, id);
    const { name, stage, routes, functions, authorizer } = props;

    const api = new RestApi(this, 'Api', {
      restApiName: name,
      endpointTypes: [EndpointType.REGIONAL],
      deployOptions: { stageName: stage },
      // The authorizer names the hidden key; clients know nothing of it.
      apiKeySourceType: ApiKeySourceType.AUTHORIZER,
      cloudWatchRole: false,
    });

    // One method per route and HTTP method, all alike.
    const operations = Object.keys(routes) as Operation[];
    this.methods = operations.flatMap((operation) => {
      const { methods, path, limit, streamed } = routes[operation];
      const resource = api.root.resourceForPath(path);
      const transfer = streamed ? streaming : {};
      const integration = new LambdaIntegration(functions[operation], { allowTestInvoke: false, ...transfer });
      return methods.map((httpMethod) => {
        const method = resource.addMethod(httpMethod, integration, { authorizer, apiKeyRequired: true });
        return { method, limit };
      });
    });

    addGatewayResponses(api);

    acknowledge(this, {
      APIG1: 'Access logs need a logging role that is one for the whole account; the functions log what fails.',
      APIG2: 'The use-cases check bodies and parameters, and say what is wrong with them.',
      APIG3: 'Keys and throttles stand before every method; a web ACL is a standing cost that the account may add.',
      APIG6: 'Execution logs need a logging role that is one for the whole account, and would hold bodies.',
      COG4: 'Clients are programs with keys of ours, checked by our authorizer on every method.',
    });

    // CDK's own output shows the address with a slash at its end; the stack shows the base address.
    api.node.tryRemoveChild('Endpoint');
    const { region, urlSuffix } = Stack.of(this);
    this.stage = api.deploymentStage;
    this.url = `https://${api.restApiId}.execute-api.${region}.${urlSuffix}/${stage}`;
  }
}
