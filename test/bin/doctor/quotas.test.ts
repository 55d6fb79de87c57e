/** Tests which quotas the workers of the stacks need. */
import { describe, expect, it } from '@jest/globals';
import { appOf, type Template } from '../../../bin/assembly/app.ts';
import { quotaNeeds, unknownQuotas } from '../../../bin/doctor/quotas.ts';
import { instanceTypes } from '../../../lib/capacity/instance-types.ts';

const resource = (Type: string, Properties: Readonly<Record<string, unknown>> = {}) => ({ Type, Properties });

const endpoint = (id: string, Cpu: string, workers: object, provider = 'FARGATE'): Template => ({
  Resources: {
    Task: resource('AWS::ECS::TaskDefinition', { Cpu, RequiresCompatibilities: ['FARGATE'] }),
    Service: resource('AWS::ECS::Service', {
      TaskDefinition: `Endpoint-${id}`,
      CapacityProviderStrategy: [{ CapacityProvider: provider }],
    }),
    Registration: resource('Custom::Endpoint', { id, blueprint: { Ref: 'Task' }, ...workers }),
  },
});

const pool = (types: readonly string[], MaxSize: string, onDemand: number): Template => ({
  Resources: {
    Group: resource('AWS::AutoScaling::AutoScalingGroup', {
      MaxSize,
      MixedInstancesPolicy: {
        LaunchTemplate: { Overrides: types.map((InstanceType) => ({ InstanceType })) },
        InstancesDistribution: { OnDemandPercentageAboveBaseCapacity: onDemand },
      },
    }),
    Pool: resource('AWS::ECS::CapacityProvider', {
      AutoScalingGroupProvider: { AutoScalingGroupArn: { Ref: 'Group' } },
    }),
  },
  Outputs: { Exported: { Value: { Ref: 'Pool' }, Export: { Name: 'Fleet:Pool' } } },
});

const onPool = (id: string): Template => ({
  Resources: {
    Service: resource('AWS::ECS::Service', {
      CapacityProviderStrategy: [{ CapacityProvider: { 'Fn::ImportValue': 'Fleet:Pool' } }],
    }),
    Registration: resource('Custom::Endpoint', { id, minWorkers: 0, maxWorkers: 3 }),
  },
});

const needs = (templates: Readonly<Record<string, Template>>) =>
  quotaNeeds(appOf(templates)).map(({ code, min, max }) => ({ code, min, max }));

describe('the quota that workers need', () => {
  it('excludes quotas of GPU instances if no endpoint uses such instances', () => {
    expect(needs({ 'Endpoint-echo': endpoint('echo', '1024', { minWorkers: 0, maxWorkers: 3 }) })).toEqual([
      { code: 'L-3032A538', min: 1, max: 3 },
    ]);
  });

  it('covers all endpoints on Fargate, and those on Fargate Spot separately', () => {
    expect(
      needs({
        'Endpoint-a': endpoint('a', '2048', { minWorkers: 2, maxWorkers: 5 }),
        'Endpoint-b': endpoint('b', '512', { minWorkers: 0, maxWorkers: 4 }),
        'Endpoint-c': endpoint('c', '1024', { minWorkers: 0, maxWorkers: 1 }, 'FARGATE_SPOT'),
      }),
    ).toEqual([
      { code: 'L-3032A538', min: 4, max: 12 },
      { code: 'L-36FBB829', min: 1, max: 1 },
    ]);
  });

  it.each([
    [['g5.xlarge', 'g6.2xlarge'], 100, { code: 'L-DB2E81BA', min: 4, max: 32 }],
    [['g4ad.xlarge'], 0, { code: 'L-3819A6DF', min: 4, max: 16 }],
    [['gr6.4xlarge'], 100, { code: 'L-DB2E81BA', min: 16, max: 64 }],
    [['p4d.24xlarge'], 100, { code: 'L-417A185B', min: 96, max: 384 }],
    [['p4d.24xlarge'], 0, { code: 'L-7212CCBC', min: 96, max: 384 }],
    [['p5.48xlarge'], 100, { code: 'L-417A185B', min: 192, max: 768 }],
    [['p5.48xlarge'], 0, { code: 'L-C4BD4855', min: 192, max: 768 }],
  ])('is in vCPUs of the instance family for %j with %d %% on demand', (types, onDemand, need) => {
    const Fleet = pool(types, '4', onDemand);
    expect(needs({ Fleet, 'Endpoint-a': onPool('a'), 'Endpoint-b': onPool('b') })).toEqual([need]);
  });

  it('is omitted for a pool that no endpoint uses', () => {
    expect(needs({ Fleet: pool(['g5.xlarge'], '4', 100) })).toEqual([]);
  });
});

/**
 * The quotas of each family: on demand, and for Spot. `undefined`: not known, because published sources differ. A new
 * family of the recorded list has to be added here.
 */
const quotas: Readonly<Record<string, readonly [onDemand: string, spot: string | undefined]>> = {
  ...Object.fromEntries(
    ['g4ad', 'g4dn', 'g5', 'g6', 'g6e', 'g7', 'g7e', 'gr6'].map((family) => [family, ['L-DB2E81BA', 'L-3819A6DF']]),
  ),
  ...Object.fromEntries(['p4d', 'p4de'].map((family) => [family, ['L-417A185B', 'L-7212CCBC']])),
  ...Object.fromEntries(['p5', 'p5e', 'p5en'].map((family) => [family, ['L-417A185B', 'L-C4BD4855']])),
  ...Object.fromEntries(['p6-b200', 'p6-b300'].map((family) => [family, ['L-417A185B', undefined]])),
};

describe('the quota of every instance type that a pool can have', () => {
  const cases = instanceTypes.flatMap(({ name, vcpus }) => [
    { name, vcpus, onDemand: 100, place: 0 },
    { name, vcpus, onDemand: 0, place: 1 },
  ]);

  it.each(cases)('is compared or reported as unknown: $name with $onDemand % on demand', (type) => {
    const { name, vcpus, onDemand, place } = type;
    const [family = ''] = name.split('.');
    const code = quotas[family]?.[place];
    const app = appOf({ Fleet: pool([name], '4', onDemand), 'Endpoint-a': onPool('a') });
    expect(quotas).toHaveProperty([family]);
    expect(quotaNeeds(app)).toMatchObject(code === undefined ? [] : [{ code, min: vcpus, max: 4 * vcpus }]);
    expect(unknownQuotas(app)).toEqual(
      code === undefined ? [{ type: name, isSpot: onDemand === 0, of: 'endpoint a' }] : [],
    );
  });

  it.each(['trn1.2xlarge', 'p9.48xlarge.metal', 'g5.metal'])('is reported as unknown for %s', (type) => {
    const app = appOf({ Fleet: pool([type, 'g5.xlarge'], '4', 100), 'Endpoint-a': onPool('a') });
    expect(unknownQuotas(app)).toEqual([{ type, isSpot: false, of: 'endpoint a' }]);
    expect(quotaNeeds(app)).toMatchObject([{ code: 'L-DB2E81BA', min: 4, max: 16 }]);
  });
});
