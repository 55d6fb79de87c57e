import { Duration, Fn, Stack } from 'aws-cdk-lib';
import {
  CfnMethod,
  ConnectionType,
  Integration,
  IntegrationType,
  type IVpcLink,
  type Method,
  type MethodOptions,
  type Resource,
  ResponseTransferMode,
  VpcLink,
} from 'aws-cdk-lib/aws-apigateway';
import { CfnVpcLink } from 'aws-cdk-lib/aws-apigatewayv2';
import { Construct } from 'constructs';
import { COUNTED, distributionHeaders, gatewayHeaders, INTEGRATION_PATH } from '../../core/http/ingress.ts';
import { PATH_PARAMETER } from '../../core/operations/routes.ts';
import type { Grantee } from '../constructs/grantee.ts';
import { type NetworkSettings, networkSettingsOf } from '../network/network.ts';
import { proofOf } from './distribution.ts';
import type { Ingress } from './ingress.ts';

/** Maximum duration of a streamed response in API Gateway. */
const TIMEOUT = Duration.minutes(15);

export interface PrivateMethod {
  /** Path below the base address. */
  readonly path: string;
  readonly httpMethod: string;
  readonly access: Pick<MethodOptions, 'authorizer' | 'authorizationType' | 'apiKeyRequired'>;
}

/** Connects API Gateway to the ingress: a VPC link, and methods whose requests go through it. */
export class PrivateLink extends Construct {
  /** The ingress, which serves the methods. */
  readonly server: Grantee;
  /**
   * The settings on which the load balancer and the link depend. The template's references to both remain the same when
   * CloudFormation replaces the resources. A deployment of the API contains the ids of the resources at the time
   * of the deployment.
   */
  readonly network: NetworkSettings;
  readonly #ingress: Ingress;
  readonly #link: IVpcLink;

  /** @param subnetIds subnets of the load balancer, one in each zone */
  constructor(scope: Construct, id: string, { ingress, subnetIds }: { ingress: Ingress; subnetIds: string[] }) {
    super(scope, id);
    this.server = ingress;
    this.network = networkSettingsOf(this);
    this.#ingress = ingress;
    const link = new CfnVpcLink(this, 'Link', {
      name: `${Stack.of(this).stackName}-Ingress`,
      // Always two zones. With other subnets CloudFormation would replace the link, and the deployment of the API
      // would still refer to the removed link.
      subnetIds: [0, 1].map((zone) => Fn.select(zone, subnetIds)),
      securityGroupIds: [ingress.loadBalancer.linkGroup.securityGroupId],
    });
    this.#link = VpcLink.fromVpcLinkId(this, 'Imported', link.attrVpcLinkId);
  }

  /** Adds a method whose requests go to the ingress, with the path that the client has called below `INTEGRATION_PATH`. */
  addMethod(resource: Resource, { path, httpMethod, access }: PrivateMethod): Method {
    const { balancer, gateway } = this.#ingress.loadBalancer;
    const parameters = [...path.matchAll(PATH_PARAMETER)].map(([, name]) => `path.${name}`);
    const mapped = parameters.map((name) => [`integration.request.${name}`, `method.request.${name}`] as const);
    const integration = new Integration({
      type: IntegrationType.HTTP_PROXY,
      integrationHttpMethod: httpMethod,
      uri: `http://${balancer.loadBalancerDnsName}:${gateway.port}${INTEGRATION_PATH}${path.replace('+}', '}')}`,
      options: {
        connectionType: ConnectionType.VPC_LINK,
        vpcLink: this.#link,
        responseTransferMode: ResponseTransferMode.STREAM,
        timeout: TIMEOUT,
        requestParameters: {
          ...Object.fromEntries(mapped),
          [`integration.request.header.${gatewayHeaders.owner}`]: 'context.authorizer.owner',
          [`integration.request.header.${gatewayHeaders.keyId}`]: 'context.authorizer.keyId',
          [`integration.request.header.${gatewayHeaders.operation}`]: 'context.authorizer.operation',
          [`integration.request.header.${gatewayHeaders.endpoint}`]: 'context.authorizer.endpoint',
          [`integration.request.header.${gatewayHeaders.requestId}`]: 'context.requestId',
          // A constant, in the quotes of API Gateway.
          [`integration.request.header.${distributionHeaders.proof}`]: `'${proofOf()}${COUNTED}'`,
        },
      },
    });
    const method = resource.addMethod(httpMethod, integration, {
      ...access,
      requestParameters: Object.fromEntries(parameters.map((name) => [`method.request.${name}`, true])),
    });
    // The VPC link does not determine the load balancer, and `Integration` has no property for it.
    if (!(method.node.defaultChild instanceof CfnMethod)) throw new Error('The method has no CloudFormation resource.');
    method.node.defaultChild.addPropertyOverride('Integration.IntegrationTarget', balancer.loadBalancerArn);
    // Otherwise CloudFormation could deploy the stage while the service is still starting. CloudFormation waits until
    // ECS reports the service as stable, which means that its tasks are healthy.
    method.node.addDependency(this.#ingress.service);
    return method;
  }
}
