import { describe, expect, it } from '@jest/globals';
import { jobRoutes } from '../../../core/operations/routes.ts';
import { stackOf, synthesize, synthesizeWith } from '../synthesis.ts';
import { onlyOne } from './template.ts';

const on = stackOf(synthesize(), 'Platform');
const off = stackOf(synthesizeWith({ ingress: 'off' }), 'Platform');

type Template = typeof on.template;

/** Returns the integrations by method and path, such as `POST /{endpoint}/run`. */
function integrationsOf(template: Template): ReadonlyMap<string, Record<string, unknown>> {
  const resources = template.findResources('AWS::ApiGateway::Resource');
  const pathOf = (id: string | undefined): string => {
    const its = id === undefined ? undefined : resources[id]?.Properties;
    return its ? `${pathOf(its.ParentId.Ref)}/${its.PathPart}` : '';
  };
  const methods = Object.values(template.findResources('AWS::ApiGateway::Method'));
  return new Map(
    methods.flatMap(({ Properties: { HttpMethod, ResourceId, RestApiId, Integration } }) =>
      String(RestApiId.Ref).startsWith('JobAddress') && Integration.Type !== 'MOCK'
        ? [[`${HttpMethod} ${pathOf(ResourceId.Ref)}`, Integration] as const]
        : [],
    ),
  );
}

const deploymentsOf = ({ template }: typeof on) => Object.keys(template.findResources('AWS::ApiGateway::Deployment'));

describe('the operations whose calls wait', () => {
  const { id: balancer } = onlyOne(on.template, 'AWS::ElasticLoadBalancingV2::LoadBalancer');
  const { id: link } = onlyOne(on.template, 'AWS::ApiGatewayV2::VpcLink');
  const integrations = integrationsOf(on.template);

  it('are the only operations that are sent to the ingress through the VPC link', () => {
    const linked = [...integrations].filter(([, { ConnectionType }]) => ConnectionType === 'VPC_LINK');
    expect(new Set(linked.map(([route]) => route))).toEqual(
      new Set([
        'DELETE /{endpoint}/openai/{path+}',
        'GET /{endpoint}/openai/{path+}',
        // The sweeper keeps the link active with this path.
        'GET /ingress.health',
        'GET /{endpoint}/status-sync/{job}',
        'GET /{endpoint}/stream/{job}',
        'PATCH /{endpoint}/openai/{path+}',
        'POST /{endpoint}/openai/{path+}',
        'PUT /{endpoint}/openai/{path+}',
        'POST /{endpoint}/runsync',
        'POST /{endpoint}/status-sync/{job}',
        'POST /{endpoint}/stream/{job}',
      ]),
    );
    for (const [route, { Type, ...rest }] of integrations)
      if (!linked.some(([known]) => known === route))
        expect([Type, rest.ConnectionType]).toEqual(['AWS_PROXY', undefined]);
  });

  it('are sent with the path of the client and values of the authorizer, and their responses are streamed', () => {
    expect(integrations.get('GET /{endpoint}/status-sync/{job}')).toEqual({
      Type: 'HTTP_PROXY',
      IntegrationHttpMethod: 'GET',
      ConnectionType: 'VPC_LINK',
      ConnectionId: { 'Fn::GetAtt': [link, 'VpcLinkId'] },
      IntegrationTarget: { Ref: balancer },
      Uri: {
        'Fn::Join': [
          '',
          ['http://', { 'Fn::GetAtt': [balancer, 'DNSName'] }, ':8080/gateway/{endpoint}/status-sync/{job}'],
        ],
      },
      ResponseTransferMode: 'STREAM',
      TimeoutInMillis: 900_000,
      RequestParameters: {
        'integration.request.path.endpoint': 'method.request.path.endpoint',
        'integration.request.path.job': 'method.request.path.job',
        'integration.request.header.x-gateway-owner': 'context.authorizer.owner',
        'integration.request.header.x-gateway-key-id': 'context.authorizer.keyId',
        'integration.request.header.x-gateway-operation': 'context.authorizer.operation',
        'integration.request.header.x-gateway-endpoint': 'context.authorizer.endpoint',
        'integration.request.header.x-gateway-request-id': 'context.requestId',
        // The web ACL does not count a request again that it has counted at the interface.
        'integration.request.header.x-distribution': {
          'Fn::Join': ['', ["'", { 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] }, "-counted'"]],
        },
      },
    });
  });

  it('are sent with the whole path below /openai, because the integration parameter has no plus', () => {
    const { Uri, RequestParameters } = integrations.get('POST /{endpoint}/openai/{path+}') ?? {};
    expect(JSON.stringify(Uri)).toContain(':8080/gateway/{endpoint}/openai/{path}"');
    expect(RequestParameters).toMatchObject({ 'integration.request.path.path': 'method.request.path.path' });
  });

  it('are deployed after a task is healthy, like the distribution that calls the ingress', () => {
    const { id: service } = onlyOne(on.template, 'AWS::ECS::Service');
    const linked = Object.values(on.template.findResources('AWS::ApiGateway::Method')).filter(
      ({ Properties }) => Properties.Integration.ConnectionType === 'VPC_LINK',
    );
    const leading = [...linked, ...Object.values(on.template.findResources('AWS::CloudFront::Distribution'))];
    expect(leading).toHaveLength(12);
    for (const { DependsOn } of leading) expect(DependsOn).toContain(service);
  });

  it('have no functions', () => {
    const described = (template: Template) =>
      Object.values(template.findResources('AWS::Lambda::Function')).map(({ Properties }) => Properties.Description);
    const theirs = [jobRoutes.runsync, jobRoutes['status-sync'], jobRoutes.stream, jobRoutes.openai].map(
      ({ path }) => `${path}:`,
    );
    const serving = (template: Template) =>
      described(template).filter((text: string) => theirs.some((path) => text.includes(path)));
    expect(serving(on.template)).toEqual([]);
    expect(serving(off.template)).toHaveLength(4);
  });
});

describe('a change of network', () => {
  it('redeploys the job interface, which would otherwise refer to a deleted link', () => {
    const ids = ['subnet-0aaaaaaaaaaaaaaa1', 'subnet-0aaaaaaaaaaaaaaa2'];
    const availabilityZones = ['eu-west-1a', 'eu-west-1b'];
    const deployedIn = (privateSubnetIds: string[]) => {
      const network = { vpcId: 'vpc-0123456789abcdef0', privateSubnetIds, availabilityZones };
      return deploymentsOf(stackOf(synthesizeWith({ network }), 'Platform'));
    };
    const before = deployedIn(ids);
    expect(before).toHaveLength(1);
    expect(deployedIn(ids.toReversed())).not.toEqual(before);
    expect(deployedIn(ids)).toEqual(before);
  });
});

describe('a deployment without the ingress', () => {
  const front = /ElasticLoadBalancing|::VpcLink|::VpcOrigin|::SecurityGroup|ECS::|ApplicationAutoScaling/;

  it('has no load balancer, service, VPC link, VPC origin or security group', () => {
    const types = Object.values(off.template.toJSON().Resources as Record<string, { Type: string }>);
    expect(types.filter(({ Type }) => front.test(Type))).toEqual([]);
    expect(off.images).toEqual({});
    expect(off.text).not.toContain('FleetVpcId');
  });

  it('calls functions for all operations', () => {
    const integrations = [...integrationsOf(off.template).values()];
    const { size } = integrationsOf(on.template);
    // Without a VPC link, no route keeps it active.
    expect(integrations).toHaveLength(size - 1);
    for (const { Type } of integrations) expect(Type).toBe('AWS_PROXY');
  });

  it('redeploys the job interface, and does not change the management interface', () => {
    const [before, after] = [on, off].map(deploymentsOf);
    expect([before?.length, after?.length]).toEqual([1, 1]);
    expect(after).not.toEqual(before);
    const texts = [synthesize(), synthesizeWith({ ingress: 'off' })].map(
      (stacks) => stackOf(stacks, 'Management').text,
    );
    expect(texts[1]).toBe(texts[0]);
  });
});
