/** Tests the conversion of templates to ECS definitions in `packages/emulator/ecs`. */

import { describe, expect, it } from '@jest/globals';
import type { Cloud } from '../../cloud.ts';
import type { Resource } from '../../cloudformation/resource.ts';
import { resourceTypeOf } from '../../cloudformation/resource-types.ts';
import { runnable } from '../../ecs/families.ts';
import { noServices } from '../../ecs/registry.ts';
import { noLoadBalancers } from '../../load-balancer/definitions.ts';
import { createTargetGroup } from '../../load-balancer/target-group.ts';

const role = 'arn:aws:iam::000000000000:role/echo-role';

const check = { path: '/', interval: 1, timeout: 1, healthyThreshold: 2, unhealthyThreshold: 2, statuses: '200' };

/** Returns target groups with these ARNs. The second one has a listener. */
function targetGroups() {
  const { targetGroups: groups } = noLoadBalancers();
  for (const arn of ['lonely', 'group'])
    groups.set(arn, createTargetGroup({ arn, check, deregistrationDelay: 0, algorithm: 'round_robin' }));
  groups.get('group')?.listeners.add('listener');
  return groups;
}

/** A product whose variables have other values on this machine. */
const product: Cloud['product'] = {
  localVariables: (variables) => ('NETWORKS' in variables ? { ...variables, NETWORKS: '127.0.0.1' } : variables),
};

/**
 * Creates the resources.
 * @returns their identities and the resulting ECS definitions
 */
async function created(resources: Readonly<Record<string, [type: string, properties: object]>>) {
  const ecs = noServices();
  const loadBalancers = { ...noLoadBalancers(), targetGroups: targetGroups() };
  const stack = {
    id: 'Endpoint-echo',
    name: 'gpu-endpoints-Endpoint-echo',
    template: { Resources: {} },
    fileAsset: () => '',
    imageAsset: () => undefined,
  };
  const identities: unknown[] = [];
  for (const [logicalId, [type, properties]] of Object.entries(resources)) {
    const resource: Resource = { stack, logicalId, type: `AWS::ECS::${type}`, properties };
    const cloud = { product, ecs, loadBalancers } as unknown as Cloud;
    identities.push(await resourceTypeOf(resource.type)?.create(resource, cloud));
  }
  return { identities, ecs };
}

const task = (RestartPolicy: object): [string, object] => [
  'TaskDefinition',
  { Family: 'echo', TaskRoleArn: role, ContainerDefinitions: [{ Name: 'worker', Image: 'echo', RestartPolicy }] },
];

const policyOf = async (policy: object) => {
  const { ecs } = await created({ Task: task(policy) });
  const revision = ecs.families.find('echo');
  return revision && runnable(revision).containers[0]?.restartPolicy;
};

describe('a restart policy', () => {
  it('has the values of the template, and the defaults of ECS for missing values', async () => {
    expect(await policyOf({ Enabled: true })).toEqual({ ignoredExitCodes: [], attemptPeriod: 300_000 });
    const policy = { Enabled: true, IgnoredExitCodes: [0, 3], RestartAttemptPeriod: 60 };
    expect(await policyOf(policy)).toEqual({ ignoredExitCodes: [0, 3], attemptPeriod: 60_000 });
    expect(await policyOf({ Enabled: false })).toBeUndefined();
  });

  it.each([
    [{ Enabled: true, RestartAttemptPeriod: 59 }, 'RestartAttemptPeriod cannot be 59'],
    [{ Enabled: true, RestartAttemptPeriod: 1_801 }, 'RestartAttemptPeriod cannot be 1801'],
    [{ Enabled: true, IgnoredExitCodes: Array(51).fill(1) }, 'IgnoredExitCodes cannot be'],
    [{ Enabled: true, Delay: 1 }, 'RestartPolicy.Delay is not supported'],
  ])('is refused if ECS would refuse it: %j', async (policy, sentence) => {
    await expect(policyOf(policy)).rejects.toThrow(sentence);
  });
});

describe('the variables of a task', () => {
  it('can have other values on this machine than in the template', async () => {
    const Environment = [
      { Name: 'NETWORKS', Value: '10.1.0.0/16' },
      { Name: 'DEPLOYMENT', Value: 'prod' },
    ];
    const containers = [
      { Name: 'ingress', Image: 'ingress', Environment },
      { Name: 'other', Image: 'other' },
    ];
    const properties = { Family: 'ingress', TaskRoleArn: role, ContainerDefinitions: containers };
    const { ecs } = await created({ Task: ['TaskDefinition', properties] });
    const revision = ecs.families.find('ingress');
    const environments = revision && runnable(revision).containers.map(({ environment }) => environment);
    expect(environments).toEqual([{ NETWORKS: '127.0.0.1', DEPLOYMENT: 'prod' }, {}]);
  });
});

describe('a service', () => {
  it('has the name of its stack in messages, and its physical name in ECS', async () => {
    const { identities, ecs } = await created({
      Cluster: ['Cluster', {}],
      Task: task({ Enabled: false }),
      Service: [
        'Service',
        {
          Cluster: 'gpu-endpoints-Endpoint-echo-Cluster',
          TaskDefinition: 'arn:aws:ecs:us-east-1:000000000000:task-definition/echo:1',
          DesiredCount: '0',
        },
      ],
    });
    const serviceArn =
      'arn:aws:ecs:us-east-1:000000000000:service/gpu-endpoints-Endpoint-echo-Cluster/Endpoint-echo-Service';
    expect(identities.at(-1)).toEqual({
      ref: serviceArn,
      attributes: { Name: 'Endpoint-echo-Service', ServiceArn: serviceArn },
    });
    expect([...ecs.clusters]).toEqual(['gpu-endpoints-Endpoint-echo-Cluster']);
    expect(ecs.services).toEqual([
      expect.objectContaining({
        name: 'Endpoint-echo',
        serviceName: 'Endpoint-echo-Service',
        cluster: 'gpu-endpoints-Endpoint-echo-Cluster',
        desiredCount: 0,
        taskDefinition: expect.objectContaining({ role: 'echo-role', roleArn: role }),
      }),
    ]);
  });
  it.each([
    ['nowhere', 8080, 'Endpoint-echo/Service (AWS::ECS::Service) cannot run here: there is no target group nowhere.'],
    ['lonely', 8080, 'no listener forwards to lonely, or the service does not depend on that listener.'],
    ['group', 8082, 'its task has no container ingress with port 8082.'],
  ])('cannot have the targets %s, %i', async (TargetGroupArn, ContainerPort, sentence) => {
    const container = { Name: 'ingress', Image: 'ingress', PortMappings: [{ ContainerPort: 8080 }] };
    const resources: Parameters<typeof created>[0] = {
      Task: ['TaskDefinition', { Family: 'echo', TaskRoleArn: role, ContainerDefinitions: [container] }],
      Service: [
        'Service',
        {
          Cluster: 'cluster',
          TaskDefinition: 'echo',
          LoadBalancers: [{ ContainerName: 'ingress', ContainerPort, TargetGroupArn }],
        },
      ],
    };
    await expect(created(resources)).rejects.toThrow(sentence);
  });
});
