import { describe, expect, it } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { FleetStack } from '../../../lib/deployment/fleet-stack.ts';
import { StorageStack } from '../../../lib/deployment/storage-stack.ts';
import { networkSettingsOf } from '../../../lib/network/network.ts';
import { declare, declarePool, stackOf, synthesizeWith, templatesOnly } from '../synthesis.ts';

const withNetwork = (network: unknown) =>
  synthesizeWith({ network }, [declare('a', { capacity: 'nvidia' })], [declarePool('nvidia')]);

const existing = {
  vpcId: 'vpc-0123456789abcdef0',
  privateSubnetIds: ['subnet-0aaaaaaaaaaaaaaa1', 'subnet-0aaaaaaaaaaaaaaa2', 'subnet-0aaaaaaaaaaaaaaa3'],
  availabilityZones: ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'],
};

describe('an existing network', () => {
  const stacks = withNetwork(existing);
  const { template: fleet } = stackOf(stacks, 'Fleet');
  const { template: endpoint } = stackOf(stacks, 'Endpoint-a');

  it('is not changed, except for resources of instances and workers', () => {
    for (const type of ['VPC', 'Subnet', 'NatGateway', 'VPCEndpoint', 'RouteTable', 'EIP'])
      fleet.resourceCountIs(`AWS::EC2::${type}`, 0);
    fleet.allResourcesProperties('AWS::EC2::SecurityGroup', { VpcId: existing.vpcId });
    endpoint.resourceCountIs('AWS::EC2::SecurityGroup', 0);
  });

  it('provides its private subnets to instances and workers', () => {
    fleet.allResourcesProperties('AWS::AutoScaling::AutoScalingGroup', {
      VPCZoneIdentifier: existing.privateSubnetIds,
    });
    fleet.hasResourceProperties('AWS::SSM::Parameter', {
      Name: '/gpu-endpoints/Fleet/Subnets',
      Type: 'StringList',
      Value: existing.privateSubnetIds.join(','),
    });
    endpoint.hasResourceProperties('AWS::ECS::Service', {
      NetworkConfiguration: {
        AwsvpcConfiguration: { AssignPublicIp: 'DISABLED', Subnets: { Ref: 'FleetSubnets' } },
      },
    });
  });
});

describe('the file system of workers', () => {
  /** Returns the subnets of the mount targets, from a synthesis of this stack and the storage stack only. */
  const mounted = (network: unknown) => {
    const app = new App({ context: { ...templatesOnly, network } });
    const storage = new StorageStack(app, 'Storage');
    const fleet = new FleetStack(app, 'Fleet', { pools: [], network: networkSettingsOf(app), storage });
    const template = Template.fromStack(fleet);
    return Object.values(template.findResources('AWS::EFS::MountTarget')).map(({ Properties }) => Properties.SubnetId);
  };

  it('has one mount target in each zone of an existing network, as EFS requires', () => {
    expect(mounted(existing)).toEqual(existing.privateSubnetIds);
    const [first, second] = existing.privateSubnetIds;
    const shared = { ...existing, availabilityZones: ['eu-west-1a', 'eu-west-1b', 'eu-west-1a'] };
    expect(mounted(shared)).toEqual([first, second]);
  });

  it('has a mount target in each zone of a new network', () => {
    expect(mounted({})).toHaveLength(2);
    expect(mounted({ availabilityZones: existing.availabilityZones })).toHaveLength(3);
  });
});

describe('a new network', () => {
  it('can be in three zones without a lookup in AWS', () => {
    const { template } = stackOf(withNetwork({ availabilityZones: existing.availabilityZones }), 'Fleet');
    const zones = Object.values(template.findResources('AWS::EC2::Subnet')).map((it) => it.Properties.AvailabilityZone);
    expect(new Set(zones)).toEqual(new Set(existing.availabilityZones));
    template.resourceCountIs('AWS::EC2::NatGateway', 1);
  });
});

describe('a further zone', () => {
  const subnetsOf = (zones: number) => {
    const network = { availabilityZones: ['a', 'b', 'c', 'd'].map((zone) => `eu-west-1${zone}`).slice(0, zones) };
    const stacks = withNetwork(network);
    const found = stackOf(stacks, 'Fleet').template.findResources('AWS::EC2::Subnet');
    const ranges = Object.entries(found).map(([id, { Properties }]) => [id, Properties.CidrBlock] as const);
    return { ranges: Object.fromEntries(ranges), endpoint: stackOf(stacks, 'Endpoint-a').text };
  };

  it('does not change the addresses of existing subnets, which AWS does not allow', () => {
    const [two, three, four] = [2, 3, 4].map(subnetsOf);
    expect(Object.keys(two?.ranges ?? {})).toHaveLength(4);
    expect(three?.ranges).toMatchObject(two?.ranges ?? {});
    expect(four?.ranges).toMatchObject(three?.ranges ?? {});
  });

  it('changes a value for endpoints, but not their template', () => {
    expect(subnetsOf(3).endpoint).toBe(subnetsOf(2).endpoint);
  });
});

describe('the setting network', () => {
  it.each<[unknown, string]>([
    ['vpc-1', 'The context `network` must be a mapping with the keys vpcId, privateSubnetIds, availabilityZones, got'],
    [
      { vpc: 'x' },
      'The context `network` has no field vpc; the fields are vpcId, privateSubnetIds, availabilityZones.',
    ],
    [
      { ...existing, vpcId: 'main' },
      '`network.vpcId` must be the id of a VPC, such as vpc-0123456789abcdef0, got "main"',
    ],
    [{ vpcId: existing.vpcId }, '`network.privateSubnetIds` must be set if `network.vpcId` is set'],
    [
      { privateSubnetIds: existing.privateSubnetIds },
      '`network.privateSubnetIds` must be set if `network.vpcId` is set',
    ],
    [
      { ...existing, privateSubnetIds: [] },
      '`network.privateSubnetIds` must be a list of subnet ids, such as [subnet-',
    ],
    [
      { ...existing, availabilityZones: ['eu-west-1a'] },
      'must have one zone for each of the 3 subnets, in the same order, got ["',
    ],
    [
      { availabilityZones: ['a', 'b', 'c', 'd', 'e'].map((zone) => `eu-west-1${zone}`) },
      '`network.availabilityZones` must be at most 4 zones without `network.vpcId`, got ["eu-west-1a"',
    ],
    [{ availabilityZones: ['eu-west-1'] }, '`network.availabilityZones` must be a list of availability zones, such as'],
  ])('is refused for %j with the problem', (network, sentence) => {
    expect(() => withNetwork(network)).toThrow(sentence);
  });
});
