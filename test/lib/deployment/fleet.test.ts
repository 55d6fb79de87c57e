import { describe, expect, it } from '@jest/globals';
import { stackOf, synthesize } from '../synthesis.ts';

const { template } = stackOf(synthesize(), 'Fleet');

describe('the fleet stack', () => {
  it('has one NAT gateway, which is its standing cost', () => {
    template.resourceCountIs('AWS::EC2::NatGateway', 1);
  });

  it('does not assign public addresses in its private subnets', () => {
    const subnets = Object.values(template.findResources('AWS::EC2::Subnet'));
    expect(subnets.filter(({ Properties }) => Properties.MapPublicIpOnLaunch === false)).toHaveLength(2);
  });

  it.each(['dynamodb', 's3'])('reaches %s through a gateway endpoint instead of the NAT gateway', (service) => {
    const endpoints = Object.values(template.findResources('AWS::EC2::VPCEndpoint'));
    const found = endpoints.filter(({ Properties }) => JSON.stringify(Properties.ServiceName).includes(`.${service}"`));
    expect(found).toHaveLength(1);
    expect(found[0]?.Properties).toMatchObject({ VpcEndpointType: 'Gateway' });
  });

  it('runs tasks on Fargate', () => {
    template.hasResourceProperties('AWS::ECS::ClusterCapacityProviderAssociations', {
      CapacityProviders: ['FARGATE', 'FARGATE_SPOT'],
    });
  });
});
