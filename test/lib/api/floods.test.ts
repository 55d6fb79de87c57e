/** Tests the settings that protect against floods of requests: access logs and a web ACL. */
import { describe, expect, it } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { accessLogDaysOf } from '../../../lib/api/access-log.ts';
import { webAclRateOf } from '../../../lib/api/web-acl.ts';
import { resourceTypeOf } from '../../../packages/emulator/cloudformation/resource-types.ts';
import { interfacesOf, resourcesIn, stackOf, synthesize, synthesizeWith } from '../synthesis.ts';
import { type AclRequest, admits, PROOF, textOf } from './web-acl-counter.ts';

const daysOf = (accessLogDays: unknown) => accessLogDaysOf(new App({ context: { accessLogDays } }));
const rateOf = (webAclRate: unknown) => webAclRateOf(new App({ context: { webAclRate } }));

describe('a deployment without these settings', () => {
  it('has neither an access log nor a web ACL', () => {
    const stacks = synthesize();
    expect(resourcesIn(interfacesOf(stacks), 'AWS::WAFv2::WebACL')).toEqual([]);
    for (const name of ['Platform', 'Management']) expect(stackOf(stacks, name).text).not.toContain('AccessLogSetting');
  });
});

describe('the setting accessLogDays', () => {
  it.each([
    [30, 30],
    ['7', 7],
    [3_653, 3_653],
    [undefined, undefined],
    ['', undefined],
  ])('may be %j', (value, days) => {
    expect(daysOf(value)).toBe(days);
  });

  it.each([0, 2, '30 days', 9_999, true, [30]])('rejects %j with an error that lists the allowed values', (value) => {
    expect(() => daysOf(value)).toThrow(`must be one of 1, 3, 5, 7,`);
    expect(() => daysOf(value)).toThrow(JSON.stringify(value));
  });

  const interfaces = interfacesOf(synthesizeWith({ accessLogDays: 30, webAclRate: 2_000 }));

  it.each([
    ['job', interfaces[0]],
    ['management', interfaces[1]],
  ])('retains a log of the %s interface for that number of days', (_, template) => {
    const [stage, ...others] = Object.values(template.findResources('AWS::ApiGateway::Stage'));
    expect(others).toEqual([]);
    const group = stage?.Properties.AccessLogSetting.DestinationArn['Fn::Join'][1].at(-1).Ref;
    expect(template.findResources('AWS::Logs::LogGroup')[group]?.Properties.RetentionInDays).toBe(30);
  });

  it('logs key, route, status and size, and no data that a client sent', () => {
    for (const { Properties } of resourcesIn(interfaces, 'AWS::ApiGateway::Stage')) {
      const line = JSON.parse(Properties.AccessLogSetting.Format) as Record<string, string>;
      expect(Object.keys(line)).toEqual(expect.arrayContaining(['keyId', 'route', 'status', 'bytes']));
      expect(Object.values(line).join()).not.toMatch(/header|query|body|\$context\.path|identity\.apiKey/i);
    }
  });
});

describe('the setting webAclRate', () => {
  it.each([
    [10, 10],
    ['2000', 2_000],
    [2_000_000_000, 2_000_000_000],
    [undefined, undefined],
    ['', undefined],
  ])('may be %j', (value, rate) => {
    expect(rateOf(value)).toBe(rate);
  });

  it.each([9, -1, 2_000_000_001, '1e3', 'many', true, [10]])(
    'rejects %j with an error that contains the range',
    (value) => {
      expect(() => rateOf(value)).toThrow('must be a whole number from 10 to 2000000000');
    },
  );

  const [platform, management] = interfacesOf(synthesizeWith({ accessLogDays: 30, webAclRate: 2_000 }));
  const acls = resourcesIn([platform, management], 'AWS::WAFv2::WebACL');
  const [acl] = acls;

  it('has one web ACL, in the stack that is deployed after both stages and removed before them', () => {
    expect(acls).toHaveLength(1);
    management.resourceCountIs('AWS::WAFv2::WebACL', 1);
  });

  it('blocks an address above the rate with 429 and Retry-After, before both interfaces and the ingress', () => {
    const rules = acl?.Properties.Rules ?? [];
    expect(rules).toHaveLength(2);
    for (const { Statement, Action } of rules) {
      expect(Statement.RateBasedStatement).toMatchObject({ EvaluationWindowSec: 300, Limit: 2_000 });
      const { CustomResponse } = Action.Block;
      expect(CustomResponse).toMatchObject({
        ResponseCode: 429,
        ResponseHeaders: [{ Name: 'Retry-After', Value: '300' }],
      });
      const body = acl?.Properties.CustomResponseBodies[CustomResponse.CustomResponseBodyKey];
      expect(JSON.parse(body.Content)).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    }
    const associations = Object.values(management.findResources('AWS::WAFv2::WebACLAssociation'));
    const [jobs, ofManagement, ofIngress] = associations.map(({ Properties }) =>
      JSON.stringify(Properties.ResourceArn),
    );
    expect(associations).toHaveLength(3);
    expect(ofIngress).toBe('{"Ref":"PlatformBalancerArn"}');
    management.hasParameter('PlatformBalancerArn', { Default: '/gpu-endpoints/Platform/BalancerArn' });
    const [balancer] = Object.keys(platform.findResources('AWS::ElasticLoadBalancingV2::LoadBalancer'));
    platform.hasResourceProperties('AWS::SSM::Parameter', {
      Name: '/gpu-endpoints/Platform/BalancerArn',
      Value: { Ref: balancer },
    });
    expect(jobs).toContain('/restapis/",{"Ref":"PlatformJobAddressRestApiId"},"/stages/v2"');
    expect(ofManagement).toMatch(
      /\/restapis\/",\{"Ref":"PlatformManagementAddressRestApiId"\},"\/stages\/",\{"Ref":"ManagementApi/,
    );
  });

  it('counts requests through the distribution per client, and other requests per address', () => {
    const [ofClient, ofAddress, ...others] = (acl?.Properties.Rules ?? []).map(
      (rule: { Statement: { RateBasedStatement: object } }) => rule.Statement.RateBasedStatement,
    );
    expect(others).toEqual([]);
    const [distribution] = Object.values(platform.findResources('AWS::CloudFront::Distribution'));
    const proofs = distribution?.Properties.DistributionConfig.Origins.filter(
      // The web ACL protects the interfaces, but not the files of the console.
      ({ Id }: { Id: string }) => Id !== 'console',
    ).map(
      ({ OriginCustomHeaders: [header] }: { OriginCustomHeaders: [{ HeaderName: string; HeaderValue: object }] }) =>
        header,
    );
    // The generated part of the id of the distribution's stack, which the stack of the web ACL reads.
    const proof = { 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] };
    expect(proofs.length).toBeGreaterThan(0);
    for (const header of proofs) expect(header).toEqual({ HeaderName: 'x-distribution', HeaderValue: proof });
    platform.hasResourceProperties('AWS::SSM::Parameter', { Name: '/gpu-endpoints/Platform/Proof', Value: proof });
    management.hasParameter('PlatformProof', { Default: '/gpu-endpoints/Platform/Proof' });
    expect(ofClient).toMatchObject({
      AggregateKeyType: 'CUSTOM_KEYS',
      CustomKeys: [{ Header: { Name: 'x-viewer-address' } }],
      ScopeDownStatement: {
        ByteMatchStatement: {
          FieldToMatch: { SingleHeader: { Name: 'x-distribution' } },
          PositionalConstraint: 'EXACTLY',
          SearchString: { Ref: 'PlatformProof' },
        },
      },
    });
    expect(ofAddress).toMatchObject({
      AggregateKeyType: 'IP',
      ScopeDownStatement: {
        NotStatement: {
          Statement: {
            ByteMatchStatement: {
              ...ofClient.ScopeDownStatement.ByteMatchStatement,
              PositionalConstraint: 'STARTS_WITH',
            },
          },
        },
      },
    });
  });

  it('protects only both interfaces without the ingress', () => {
    const [, without] = interfacesOf(synthesizeWith({ webAclRate: 2_000, ingress: 'off' }));
    without.resourceCountIs('AWS::WAFv2::WebACLAssociation', 2);
  });

  const rules = acl?.Properties.Rules ?? [];

  /** Headers that CloudFront adds to a request of a client for an origin. */
  function fromCloudFront(origin: string, client: string) {
    const [distribution] = Object.values(platform.findResources('AWS::CloudFront::Distribution'));
    const { Origins } = distribution?.Properties.DistributionConfig ?? {};
    const { OriginCustomHeaders } = Origins.find(({ Id }: { Id: string }) => Id === origin);
    const added = OriginCustomHeaders.map((each: { HeaderName: string; HeaderValue: unknown }) => [
      each.HeaderName,
      textOf(each.HeaderValue),
    ]);
    return { ...Object.fromEntries(added), 'x-viewer-address': client } as Record<string, string>;
  }

  /** Headers that the load balancer receives from API Gateway: constants replace headers of the same name. */
  function throughGateway(headers: Record<string, string>) {
    const [method] = resourcesIn([platform], 'AWS::ApiGateway::Method', {
      Properties: { Integration: { ConnectionType: 'VPC_LINK' } },
    });
    const mapped = Object.entries(method?.Properties.Integration.RequestParameters ?? {}).flatMap(([name, value]) => {
      const [, constant] = /^'(.*)'$/.exec(textOf(value)) ?? [];
      return constant === undefined ? [] : [[name.replace('integration.request.header.', ''), constant]];
    });
    return { ...headers, ...Object.fromEntries(mapped) } as Record<string, string>;
  }

  const guarded = resourcesIn([management], 'AWS::WAFv2::WebACLAssociation').map(
    ({ Properties }) => Properties.ResourceArn.Ref,
  );

  /** Returns whether the load balancer gets the request: the web ACL admits it, or does not see it. */
  const reaches = (admit: ReturnType<typeof admits>, request: AclRequest) =>
    !guarded.includes('PlatformBalancerArn') || admit(request);

  const edge = '64.252.64.1';
  const linkAddress = '10.0.1.7';
  const times = (count: number, send: () => boolean) => Array.from({ length: count }, send);

  it('refuses a client above the rate that sends large bodies by the direct route, and no other client', () => {
    const admit = admits(rules);
    const direct = (client: string) => () =>
      reaches(admit, { address: edge, headers: fromCloudFront('ingress', client) });
    expect(times(2_000, direct('198.51.100.1'))).not.toContain(false);
    expect(direct('198.51.100.1')()).toBe(false);
    expect(direct('198.51.100.2')()).toBe(true);
    // The client has the same count at the other addresses.
    expect(admit({ address: edge, headers: fromCloudFront('jobs', '198.51.100.1') })).toBe(false);
  });

  it('counts a request that API Gateway passes to the ingress once, also if it did not come from CloudFront', () => {
    const admit = admits(rules);
    const viaCloudFront = () => {
      const headers = fromCloudFront('jobs', '198.51.100.1');
      return (
        admit({ address: edge, headers }) && reaches(admit, { address: linkAddress, headers: throughGateway(headers) })
      );
    };
    expect(times(2_000, viaCloudFront)).not.toContain(false);
    expect(viaCloudFront()).toBe(false);
    // All clients have the address of the VPC link at the load balancer, so it must not count them by address.
    const clients = Array.from({ length: 3_000 }, (_, at) => `203.0.${Math.floor(at / 250)}.${at % 250}`);
    const atItsOwnAddress = clients.map(
      (address) =>
        admit({ address, headers: {} }) && reaches(admit, { address: linkAddress, headers: throughGateway({}) }),
    );
    expect(atItsOwnAddress).not.toContain(false);
  });

  it('counts a client that sends the headers of the distribution or of API Gateway itself by its address', () => {
    const admit = admits(rules);
    const forged = (_: unknown, at: number) => ({
      'x-distribution': ['', '-counted', 'other-counted'][at % 3] ?? '',
      'x-viewer-address': `203.0.113.${at % 250}`,
    });
    const sent = Array.from({ length: 2_001 }, forged).map((headers) => admit({ address: '198.51.100.9', headers }));
    expect(sent.lastIndexOf(false)).toBe(2_000);
    expect(sent.filter((admitted) => !admitted)).toHaveLength(1);
    expect(throughGateway(forged(0, 1))['x-distribution']).toBe(`${PROOF}-counted`);
  });

  it.each(['AWS::WAFv2::WebACL', 'AWS::WAFv2::WebACLAssociation'])('does not prevent `npm start`: %s', (type) => {
    expect(resourceTypeOf(type)).toBeDefined();
  });
});
