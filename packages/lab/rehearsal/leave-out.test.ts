import { describe, expect, it } from '@jest/globals';
import { leaveOut } from './leave-out.ts';
import type { Resource, Template } from './template.ts';

const isGateway = ({ Type }: Resource) => Type === 'Gateway';

const template: Template = {
  Resources: {
    Nat: { Type: 'Gateway', Properties: { AllocationId: { 'Fn::GetAtt': ['Ip', 'AllocationId'] } } },
    Ip: { Type: 'Address' },
    Route: {
      Type: 'Route',
      DependsOn: ['Nat', 'Ip'],
      Properties: { NatGatewayId: { Ref: 'Nat' }, Address: { Ref: 'Ip' } },
    },
    Waiting: { Type: 'Route', DependsOn: 'Nat' },
    Listing: {
      Type: 'List',
      Properties: { Ids: [{ Ref: 'Ip' }, { 'Fn::GetAtt': ['Nat', 'Id'] }, { 'Fn::GetAtt': 'Nat.Id' }] },
    },
    Text: {
      Type: 'Text',
      Properties: { Text: { 'Fn::Sub': `gateway \${Nat} or \${Nat.Id} in \${AWS::Region} of \${Ip}` } },
    },
  },
  Outputs: { Gateway: { Value: { Ref: 'Nat' }, Export: { Name: 'Gateway' } }, Address: { Value: { Ref: 'Ip' } } },
};
const { template: left, resources, references } = leaveOut(template, isGateway);
const resource = (id: string) => left.Resources[id] as Resource;

describe('a template without some resources', () => {
  it('lists its omitted resources', () => {
    expect(resources).toEqual(['Nat']);
    expect(Object.keys(left.Resources)).toEqual(['Ip', 'Route', 'Waiting', 'Listing', 'Text']);
  });

  it('has a made-up value for each kind of reference to them, and keeps all other references', () => {
    expect(resource('Route').Properties).toEqual({ NatGatewayId: 'left-out-Nat', Address: { Ref: 'Ip' } });
    expect(resource('Listing').Properties).toEqual({ Ids: [{ Ref: 'Ip' }, 'left-out-Nat', 'left-out-Nat'] });
    const text = `gateway left-out-Nat or left-out-Nat in \${AWS::Region} of \${Ip}`;
    expect(resource('Text').Properties).toEqual({ Text: { 'Fn::Sub': text } });
  });

  it('keeps outputs, so that stacks that import them find a value', () => {
    expect(left.Outputs).toEqual({
      Gateway: { Value: 'left-out-Nat', Export: { Name: 'Gateway' } },
      Address: { Value: { Ref: 'Ip' } },
    });
  });

  it('does not depend on an omitted resource', () => {
    expect(resource('Route').DependsOn).toEqual(['Ip']);
    expect(resource('Waiting')).toEqual({ Type: 'Route' });
  });

  it('lists the references to omitted resources', () => {
    expect(references).toEqual([
      'Resources.Route.Properties.NatGatewayId',
      'Resources.Listing.Properties.Ids.1',
      'Resources.Listing.Properties.Ids.2',
      'Resources.Text.Properties.Text.Fn::Sub',
      'Resources.Text.Properties.Text.Fn::Sub',
      'Outputs.Gateway.Value',
    ]);
  });

  it('is unchanged if no resource is omitted', () => {
    expect(leaveOut(template, () => false)).toEqual({ template, resources: [], references: [] });
  });
});
