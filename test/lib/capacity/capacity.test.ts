import { describe, expect, it } from '@jest/globals';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { compilePattern } from '../../../packages/emulator/events/pattern.ts';
import { permissionsOf, roleNamed } from '../permissions.ts';
import { declare, declarePool, stackOf, synthesizeWith } from '../synthesis.ts';

const pools = [
  declarePool('nvidia', { instanceTypes: ['g6.xlarge', 'g5.12xlarge'] }),
  declarePool('cheap', { spot: true, diskInGb: 500 }),
  declarePool('warm', { warmInstances: 2, image: 'ami-01234567' }),
  declarePool('local', { disk: 'local', instanceTypes: ['g6e.xlarge', 'g6e.2xlarge'], diskInGb: 237 }),
  declarePool('fast', { instanceTypes: ['g5.48xlarge'], diskInGb: 800, diskThroughput: 1000 }),
  declarePool('amd', { kind: 'amd', instanceTypes: ['g4ad.2xlarge'], image: 'ami-0123456789abcdef0' }),
];
const declarations = [
  declare('plain'),
  declare('cheap-plain', { spot: true, cpu: 256, memory: 512 }),
  declare('one-gpu', { capacity: 'nvidia' }),
  declare('sized', { capacity: 'nvidia', cpu: 512, memory: 2000, gpus: 1 }),
  declare('red', { capacity: 'amd' }),
  declare('shared', { capacity: 'fast', gpus: 2, sharedMemorySize: 4096 }),
  declare('many', { capacity: 'fast' }),
];
const stacks = synthesizeWith({}, declarations, pools);
const { template: fleet, text: fleetText } = stackOf(stacks, 'Fleet');
const ofEndpoint = (id: string) => stackOf(stacks, `Endpoint-${id}`).template;

type Properties = Record<string, unknown>;

const propertiesOf = (template: Template, type: string): Properties[] =>
  Object.values(template.findResources(type)).map(({ Properties: properties }) => properties as Properties);

function taskOf(id: string): Properties {
  const [task] = propertiesOf(ofEndpoint(id), 'AWS::ECS::TaskDefinition');
  return task ?? {};
}

const containerOf = (id: string, name: string) =>
  (taskOf(id).ContainerDefinitions as (Properties & { Name: string })[]).find(({ Name }) => Name === name);

const groups = propertiesOf(fleet, 'AWS::AutoScaling::AutoScalingGroup');
const templates = propertiesOf(fleet, 'AWS::EC2::LaunchTemplate').map(
  ({ LaunchTemplateData }) => LaunchTemplateData as Properties,
);

describe('a pool', () => {
  it('has no instance until a worker needs one, so that the first deployment needs no quota', () => {
    expect(groups).toHaveLength(pools.length);
    for (const { MinSize, MaxSize, DesiredCapacity } of groups)
      expect([MinSize, MaxSize, DesiredCapacity]).toEqual(['0', '10', undefined]);
    expect(fleetText).not.toMatch(/CreationPolicy|WaitCondition|cfn-signal/);
    const DesiredCount = { 'Fn::GetAtt': [Match.stringLikeRegexp('^WorkersReleaseCount'), 'count'] };
    for (const { id } of declarations) ofEndpoint(id).hasResourceProperties('AWS::ECS::Service', { DesiredCount });
  });

  it('is scaled by ECS, which does not terminate instances that have tasks', () => {
    fleet.resourceCountIs('AWS::ECS::CapacityProvider', pools.length);
    fleet.allResourcesProperties('AWS::ECS::CapacityProvider', {
      AutoScalingGroupProvider: Match.objectLike({
        ManagedScaling: Match.objectLike({ Status: 'ENABLED', TargetCapacity: 100 }),
        ManagedTerminationProtection: 'ENABLED',
        ManagedDraining: 'ENABLED',
      }),
    });
    for (const { NewInstancesProtectedFromScaleIn: isProtected } of groups) expect(isProtected).toBe(true);
  });

  it('is one of the capacity providers of the cluster, beside Fargate', () => {
    const providers = Object.keys(fleet.findResources('AWS::ECS::CapacityProvider')).map((Ref) => ({ Ref }));
    fleet.hasResourceProperties('AWS::ECS::ClusterCapacityProviderAssociations', {
      CapacityProviders: ['FARGATE', 'FARGATE_SPOT', ...providers],
    });
  });

  it('reports instance starts of its group, and ignores those of other groups', () => {
    const rules = propertiesOf(stackOf(stacks, 'Platform').template, 'AWS::Events::Rule');
    const [pattern] = rules
      .map(({ EventPattern }) => EventPattern)
      .filter((found) => found && JSON.stringify(found).includes('EC2 Instance Launch Unsuccessful'));
    const matches = compilePattern(pattern, 'The rule');
    const isReported = (AutoScalingGroupName: string, kind = 'EC2 Instance Launch Unsuccessful') =>
      matches({ source: 'aws.autoscaling', 'detail-type': kind, detail: { AutoScalingGroupName } });
    // CloudFormation composes the name from the stack, the logical id, and random characters.
    const named = Object.entries(fleet.findResources('AWS::AutoScaling::AutoScalingGroup'));
    expect(named.map(([id]) => isReported(`gpu-endpoints-Fleet-${id}-1A2B3C`))).toEqual(pools.map(() => true));
    for (const [, group] of named) expect(group.Properties).not.toHaveProperty('AutoScalingGroupName');
    expect(isReported('Other-PoolnvidiaGroupASG-1A2B3C')).toBe(false);
    const kinds = ['EC2 Instance Launch Successful', 'EC2 Instance Terminate Successful'];
    const reported = kinds.map((kind) => isReported(`gpu-endpoints-Fleet-${named[0]?.[0]}-1A2B3C`, kind));
    expect(reported).toEqual([true, false]);
  });

  it('uses On-Demand Instances in the order of its instance types, or only Spot Instances', () => {
    const [nvidia, cheap] = groups;
    expect(nvidia?.MixedInstancesPolicy).toMatchObject({
      LaunchTemplate: { Overrides: [{ InstanceType: 'g6.xlarge' }, { InstanceType: 'g5.12xlarge' }] },
    });
    expect(nvidia?.MixedInstancesPolicy).toMatchObject({
      InstancesDistribution: { OnDemandAllocationStrategy: 'prioritized', OnDemandPercentageAboveBaseCapacity: 100 },
    });
    expect(cheap?.MixedInstancesPolicy).toMatchObject({
      InstancesDistribution: {
        OnDemandPercentageAboveBaseCapacity: 0,
        SpotAllocationStrategy: 'price-capacity-optimized',
      },
    });
  });

  it('keeps the number of stopped instances that its file sets', () => {
    fleet.resourceCountIs('AWS::AutoScaling::WarmPool', 1);
    fleet.hasResourceProperties('AWS::AutoScaling::WarmPool', {
      MinSize: 2,
      MaxGroupPreparedCapacity: 2,
      PoolState: 'Stopped',
    });
  });

  it('names one type in its launch template if it keeps stopped instances, which groups of several types cannot', () => {
    const warm = groups.find(({ MixedInstancesPolicy }) => MixedInstancesPolicy === undefined);
    expect(groups.filter(({ MixedInstancesPolicy }) => MixedInstancesPolicy === undefined)).toHaveLength(1);
    expect(warm?.LaunchTemplate).toMatchObject({ LaunchTemplateId: { Ref: expect.stringMatching(/^Poolwarm/) } });
    expect(templates.map(({ InstanceType }) => InstanceType)).toEqual([
      undefined,
      undefined,
      'g5.xlarge',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('is in the private subnets, and admits no inbound traffic', () => {
    for (const { VPCZoneIdentifier } of groups)
      expect(VPCZoneIdentifier).toEqual([1, 2].map(() => ({ Ref: expect.stringMatching(/^VpcWorkersSubnet\d/) })));
    fleet.allResourcesProperties('AWS::EC2::SecurityGroup', { SecurityGroupIngress: Match.absent() });
    // The only security group rule is for workers that reach the file system.
    fleet.resourceCountIs('AWS::EC2::SecurityGroupIngress', 1);
    fleet.hasResourceProperties('AWS::EC2::SecurityGroupIngress', { FromPort: 2049 });
  });
});

describe('an instance', () => {
  it('runs the latest ECS image of NVIDIA on Amazon Linux 2023, or the AMI of its pool', () => {
    const parameter = JSON.stringify(fleet.findParameters('*'));
    expect(parameter).toContain('/aws/service/ecs/optimized-ami/amazon-linux-2023/gpu/recommended/image_id');
    expect(templates.map(({ ImageId }) => ImageId)).toEqual([
      { Ref: expect.stringContaining('amazonlinux2023gpu') },
      { Ref: expect.stringContaining('amazonlinux2023gpu') },
      'ami-01234567',
      { Ref: expect.stringContaining('amazonlinux2023gpu') },
      { Ref: expect.stringContaining('amazonlinux2023gpu') },
      'ami-0123456789abcdef0',
    ]);
  });

  it('does not expose its credentials to containers: IMDSv2, one hop, and no access from tasks', () => {
    for (const { MetadataOptions, UserData } of templates) {
      expect(MetadataOptions).toEqual({ HttpTokens: 'required', HttpPutResponseHopLimit: 1 });
      expect(JSON.stringify(UserData)).toContain('ECS_AWSVPC_BLOCK_IMDS=true');
    }
  });

  it('has an encrypted disk for its workers, with the throughput of its pool, and 30 GB for itself', () => {
    const disks = templates.map(({ BlockDeviceMappings }) => BlockDeviceMappings);
    const disk = (size: number, rates: Properties) => [
      { DeviceName: '/dev/xvda', Ebs: { Encrypted: true, VolumeSize: size, VolumeType: 'gp3', ...rates } },
    ];
    const standard = { Iops: 3000, Throughput: 500 };
    expect(disks).toEqual([
      disk(130, standard),
      disk(530, standard),
      disk(130, standard),
      disk(30, {}),
      disk(830, { Iops: 4000, Throughput: 1000 }),
      disk(130, standard),
    ]);
  });

  it('puts images on its own disks, before the ECS agent starts, only if its pool has `disk: local`', () => {
    const scripts = templates.map(({ UserData }) => JSON.stringify(UserData));
    expect(scripts.map((script) => script.includes('mkfs.xfs'))).toEqual([false, false, false, true, false, false]);
  });

  it('pulls the image of the worker at once, from the registry only if it is not cached, and waits until it is unpacked', () => {
    for (const { UserData } of templates) {
      const script = JSON.stringify(UserData);
      expect(script).toContain('echo ECS_PULL_DEPENDENT_CONTAINERS_UPFRONT=true >> /etc/ecs/ecs.config');
      expect(script).toContain('echo ECS_IMAGE_PULL_BEHAVIOR=prefer-cached >> /etc/ecs/ecs.config');
      expect(script).toContain('echo ECS_IMAGE_PULL_INACTIVITY_TIMEOUT=30m >> /etc/ecs/ecs.config');
    }
  });

  it('has only the permissions to join its cluster', () => {
    const cluster = JSON.stringify({ 'Fn::GetAtt': ['ClusterEB0386A7', 'Arn'] });
    for (const { id } of pools) {
      const permissions = permissionsOf(fleet, roleNamed(fleet, `Pool${id}Role`));
      expect(permissions).toEqual([
        {
          on: cluster,
          actions: [
            'ecs:DeregisterContainerInstance',
            'ecs:RegisterContainerInstance',
            'ecs:SubmitAttachmentStateChanges',
            'ecs:SubmitContainerStateChange',
            'ecs:SubmitTaskStateChange',
          ],
        },
        {
          on: expect.stringContaining(':container-instance/'),
          actions: ['ecs:Poll', 'ecs:StartTelemetrySession', 'ecs:UpdateContainerInstancesState'],
          condition: { ArnEquals: { 'ecs:cluster': JSON.parse(cluster) } },
        },
        { on: '"*"', actions: ['ecs:DiscoverPollEndpoint'] },
      ]);
    }
    fleet.allResourcesProperties('AWS::IAM::Role', { ManagedPolicyArns: Match.absent() });
  });
});

describe('a worker', () => {
  it.each([
    ['plain', 'FARGATE', { Cpu: '1024', Memory: '2048', RequiresCompatibilities: ['FARGATE'] }],
    ['cheap-plain', 'FARGATE_SPOT', { Cpu: '256', Memory: '512' }],
    ['one-gpu', 'PoolDashnvidia', { Cpu: '4096', Memory: '14745', RequiresCompatibilities: ['EC2'] }],
    ['sized', 'PoolDashnvidia', { Cpu: '512', Memory: '2000' }],
    ['red', 'PoolDashamd', { Cpu: '8192', Memory: '29491', RequiresCompatibilities: ['EC2'] }],
  ])('of %s requests its size from %s, in its own network namespace', (id, provider, size) => {
    expect(taskOf(id)).toMatchObject({ ...size, NetworkMode: 'awsvpc' });
    const [service] = propertiesOf(ofEndpoint(id), 'AWS::ECS::Service');
    expect(JSON.stringify(service?.CapacityProviderStrategy)).toContain(provider);
    expect(service?.CapacityProviderStrategy).toHaveLength(1);
    expect(service?.NetworkConfiguration).toMatchObject({
      AwsvpcConfiguration: {
        AssignPublicIp: 'DISABLED',
        Subnets: { Ref: 'FleetSubnets' },
      },
    });
  });

  it('on a pool is registered with the Auto Scaling group that starts its instances', () => {
    const groupOf = (id: string) => propertiesOf(ofEndpoint(id), 'Custom::Endpoint')[0]?.instanceGroup;
    expect(groupOf('one-gpu')).toEqual({ Ref: 'FleetPoolDashnvidiaGroupName' });
    expect(groupOf('red')).toEqual({ Ref: 'FleetPoolDashamdGroupName' });
    expect(groupOf('plain')).toBeUndefined();
  });

  it.each([
    ['plain', 'CPU', 200],
    ['one-gpu', 'NVIDIA', 25],
    ['red', 'AMD', 100],
    // A g5.48xlarge has 8 GPUs, but interfaces for only 6 workers.
    ['many', 'NVIDIA', 133],
    ['shared', 'NVIDIA', 200],
  ])('of %s registers its category and its largest disk for templates', (id, category, largestDiskInGb) => {
    for (const type of ['Custom::Endpoint', 'Custom::EndpointTemplate'])
      expect(propertiesOf(ofEndpoint(id), type)).toEqual([expect.objectContaining({ category, largestDiskInGb })]);
  });

  it('with an NVIDIA GPU gives it to the user container and not to the agent', () => {
    expect(containerOf('one-gpu', 'worker')?.ResourceRequirements).toEqual([{ Type: 'GPU', Value: '1' }]);
    for (const [id, name] of [
      ['one-gpu', 'agent'],
      ['plain', 'worker'],
      ['red', 'worker'],
    ] as const)
      expect(containerOf(id, name)).not.toHaveProperty('ResourceRequirements');
  });

  it('with an AMD GPU has its devices, and an instance for itself', () => {
    const device = (path: string) => ({ HostPath: path, ContainerPath: path, Permissions: ['read', 'write'] });
    expect(containerOf('red', 'worker')?.LinuxParameters).toMatchObject({
      Devices: [device('/dev/kfd'), device('/dev/dri')],
    });
    expect(containerOf('red', 'agent')).not.toHaveProperty('LinuxParameters');
    ofEndpoint('red').hasResourceProperties('AWS::ECS::Service', {
      PlacementConstraints: [{ Type: 'distinctInstance' }],
    });
  });

  it.each([
    ['plain', undefined],
    ['one-gpu', 7372],
    ['sized', 1000],
    ['red', 14_745],
    ['shared', 4096],
  ])('of %s on a pool shares half of its memory between processes, or what its file sets', (id, size) => {
    const parameters = containerOf(id, 'worker')?.LinuxParameters as { SharedMemorySize?: number } | undefined;
    expect(parameters?.SharedMemorySize).toBe(size);
    expect(containerOf(id, 'agent')).not.toHaveProperty('LinuxParameters');
  });
});

describe('the service of an endpoint', () => {
  it.each([
    ['plain', [], []],
    ['one-gpu', [{ Type: 'binpack', Field: 'MEMORY' }], []],
    ['red', [{ Type: 'binpack', Field: 'MEMORY' }], [{ Type: 'distinctInstance' }]],
  ])(
    'of %s sets its placement, even if it is empty, so that ECS removes the placement of other capacity',
    (id, how, where) => {
      const [its] = propertiesOf(ofEndpoint(id), 'AWS::ECS::Service');
      expect(its).toMatchObject({ PlacementStrategies: how, PlacementConstraints: where });
    },
  );

  it('is the same resource on every capacity, and is deployed after the first revision of its family', () => {
    const services = ['plain', 'one-gpu', 'red'].map((id) =>
      Object.entries(ofEndpoint(id).findResources('AWS::ECS::Service')),
    );
    expect(new Set(services.flatMap((those) => those.map(([name]) => name))).size).toBe(1);
    for (const [id, those] of ['plain', 'one-gpu', 'red'].map((name, n) => [name, services[n] ?? []] as const)) {
      const [first] = Object.keys(ofEndpoint(id).findResources('Custom::FirstRevision'));
      for (const [, { DependsOn }] of those) expect(DependsOn).toContain(first);
    }
  });
});

describe('an added file', () => {
  it('of an endpoint on a pool changes no existing stack, byte for byte', () => {
    const before = synthesizeWith({}, declarations.slice(0, 2), pools);
    const added = Object.keys(stacks).filter((name) => !(name in before));
    expect(added).toEqual(['Endpoint-many', 'Endpoint-one-gpu', 'Endpoint-red', 'Endpoint-shared', 'Endpoint-sized']);
    for (const [name, { text }] of Object.entries(before)) expect(stackOf(stacks, name).text).toBe(text);
  });

  it('of a pool changes the stack of the fleet, and no endpoint', () => {
    const before = synthesizeWith({}, declarations, pools.toSpliced(1, 1));
    const changed = Object.keys(stacks).filter((name) => stackOf(stacks, name).text !== before[name]?.text);
    expect(changed).toEqual(['Fleet']);
  });
});
