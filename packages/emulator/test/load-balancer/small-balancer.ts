/** The template of a load balancer, and a method of the small API that it serves. */
import { resources, set } from '../gateway/small-api.ts';
import type { Resources } from '../small-service.ts';

export const balancer = (): Resources => ({
  Balancer: {
    Type: 'AWS::ElasticLoadBalancingV2::LoadBalancer',
    Properties: {
      Scheme: 'internal',
      Type: 'application',
      Subnets: [],
      SecurityGroups: [],
      LoadBalancerAttributes: [{ Key: 'idle_timeout.timeout_seconds', Value: '900' }],
    },
  },
  Group: {
    Type: 'AWS::ElasticLoadBalancingV2::TargetGroup',
    Properties: {
      Port: 8080,
      Protocol: 'HTTP',
      TargetType: 'ip',
      HealthCheckPath: '/health',
      TargetGroupAttributes: [
        { Key: 'deregistration_delay.timeout_seconds', Value: '360' },
        { Key: 'stickiness.enabled', Value: 'false' },
      ],
    },
  },
  Listener: {
    Type: 'AWS::ElasticLoadBalancingV2::Listener',
    Properties: {
      LoadBalancerArn: { Ref: 'Balancer' },
      Port: 8080,
      Protocol: 'HTTP',
      DefaultActions: [{ Type: 'forward', TargetGroupArn: { Ref: 'Group' } }],
    },
  },
});

/** Returns the URL of a path on the listener. */
export const addressOf = (path: string, port = 8080) => ({
  'Fn::Join': ['', ['http://', { 'Fn::GetAtt': ['Balancer', 'DNSName'] }, `:${port}${path}`]],
});

/** Returns the integration of a method of the small API that the load balancer serves. */
export const privately = (rest: Record<string, unknown> = {}) => ({
  Type: 'HTTP_PROXY',
  IntegrationHttpMethod: 'POST',
  Uri: addressOf('/{endpoint}/run'),
  ConnectionType: 'VPC_LINK',
  ConnectionId: { Ref: 'Link' },
  IntegrationTarget: { Ref: 'Balancer' },
  ResponseTransferMode: 'STREAM',
  TimeoutInMillis: 900_000,
  RequestParameters: {
    'integration.request.path.endpoint': 'method.request.path.endpoint',
    'integration.request.header.x-gateway-owner': 'context.authorizer.principalId',
    'integration.request.header.x-gateway-request-id': 'context.requestId',
    'integration.request.header.x-constant': "'fixed'",
    'integration.request.header.x-absent': 'context.authorizer.absent',
  },
  ...rest,
});

/** Returns the small API with `POST /{endpoint}/run` on the load balancer. */
export function balancedApi(integration: Record<string, unknown> = {}): Resources {
  const all: Resources = { ...resources(), ...balancer() };
  all.Link = { Type: 'AWS::ApiGatewayV2::VpcLink', Properties: { Name: 'link', SubnetIds: [], SecurityGroupIds: [] } };
  set(all, 'RunPost', {
    RequestParameters: { 'method.request.path.endpoint': true },
    Integration: privately(integration),
  });
  return all;
}
