import { describe, expect, it } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { permissionsOf, roleNamed } from '../permissions.ts';
import { stackOf, staged, synthesizeWith } from '../synthesis.ts';
import { onlyContainer, onlyOne } from './template.ts';

const stacks = synthesizeWith(staged);
const { template, images } = stackOf(stacks, 'Platform');

const resources = Object.entries(
  template.toJSON().Resources as Record<string, { Type: string; Properties: Record<string, unknown> }>,
);
const logicalId = (value: unknown) => (value as { 'Fn::GetAtt': [string] })['Fn::GetAtt'][0];

interface Rule {
  readonly group: string;
  readonly from: unknown;
  readonly ports: readonly unknown[];
}

/** The rules of the security groups: group, source and ports. */
const rules: readonly Rule[] = resources.flatMap(([, { Type, Properties: its }]) =>
  Type === 'AWS::EC2::SecurityGroupIngress'
    ? [
        {
          group: logicalId(its.GroupId),
          from: its.SourceSecurityGroupId
            ? logicalId(its.SourceSecurityGroupId)
            : (its.SourcePrefixListId ?? its.CidrIp),
          ports: [its.FromPort, its.ToPort],
        },
      ]
    : [],
);
const propertiesOf = (type: string) => onlyOne(template, type).properties;
const balancer = logicalId(propertiesOf('AWS::ElasticLoadBalancingV2::LoadBalancer').SecurityGroups[0]);
const link = logicalId(propertiesOf('AWS::ApiGatewayV2::VpcLink').SecurityGroupIds[0]);
const tasks = logicalId(propertiesOf('AWS::ECS::Service').NetworkConfiguration.AwsvpcConfiguration.SecurityGroups[0]);

describe('the network of the ingress', () => {
  it('admits only API Gateway at one port and CloudFront at the other, because workers run user code in it', () => {
    const [byLink, byCloudFront, ...others] = rules.filter(({ group }) => group === balancer);
    expect(others).toEqual([]);
    expect(byLink).toEqual({ group: balancer, from: link, ports: [8080, 8080] });
    expect(byCloudFront).toMatchObject({
      ports: [8081, 8081],
      from: { 'Fn::FindInMap': [expect.any(String), { Ref: 'AWS::Region' }, 'id'] },
    });
    const inline = resources.filter(([, { Properties }]) => Properties.SecurityGroupIngress !== undefined);
    expect(inline).toEqual([]);
  });

  it('has the prefix list of CloudFront for each supported Region', () => {
    const [lists = {}] = Object.values(template.toJSON().Mappings as Record<string, Record<string, { id: string }>>);
    expect(Object.keys(lists).length).toBeGreaterThan(10);
    for (const { id } of Object.values(lists)) expect(id).toMatch(/^pl-[0-9a-f]{8}$/);
    expect(new Set(Object.values(lists).map(({ id }) => id)).size).toBe(Object.keys(lists).length);
  });

  it('allows only the load balancer to call the tasks, at the two ports', () => {
    expect(rules.filter(({ group }) => group === tasks)).toEqual([
      { group: tasks, from: balancer, ports: [8080, 8080] },
      { group: tasks, from: balancer, ports: [8081, 8081] },
    ]);
  });

  it('is the network of the workers, without public addresses, with one subnet in each zone', () => {
    const subnets = { Ref: 'FleetZoneSubnets' };
    template.hasResourceProperties('AWS::ElasticLoadBalancingV2::LoadBalancer', {
      Scheme: 'internal',
      Subnets: subnets,
    });
    template.hasResourceProperties('AWS::ECS::Service', {
      Cluster: { Ref: 'FleetClusterName' },
      NetworkConfiguration: { AwsvpcConfiguration: { AssignPublicIp: 'DISABLED', Subnets: subnets } },
    });
    const network = {
      vpcId: 'vpc-0123456789abcdef0',
      privateSubnetIds: ['subnet-0aaaaaaaaaaaaaaa1', 'subnet-0aaaaaaaaaaaaaaa2', 'subnet-0aaaaaaaaaaaaaaa3'],
      availabilityZones: ['eu-west-1a', 'eu-west-1b', 'eu-west-1a'],
    };
    stackOf(synthesizeWith({ network }), 'Fleet').template.hasResourceProperties('AWS::SSM::Parameter', {
      Name: '/gpu-endpoints/Fleet/ZoneSubnets',
      Value: 'subnet-0aaaaaaaaaaaaaaa1,subnet-0aaaaaaaaaaaaaaa2',
    });
  });
});

describe('the VPC link', () => {
  it('has the subnets of the first two zones, so that an added zone does not replace it while it is in use', () => {
    const ofZone = (zone: number) => ({ 'Fn::Select': [zone, { Ref: 'FleetZoneSubnets' }] });
    expect(propertiesOf('AWS::ApiGatewayV2::VpcLink').SubnetIds).toEqual([0, 1].map(ofZone));
  });
});

describe('the load balancer', () => {
  const attributesOf = (type: string, property: string) =>
    Object.values(template.findResources(type)).map(({ Properties }) =>
      Object.fromEntries(Properties[property].map(({ Key, Value }: { Key: string; Value: string }) => [Key, Value])),
    );

  it('drops malformed headers, preserves the host, and has a longer timeout than the longest wait', () => {
    expect(attributesOf('AWS::ElasticLoadBalancingV2::LoadBalancer', 'LoadBalancerAttributes')).toEqual([
      expect.objectContaining({
        'routing.http.drop_invalid_header_fields.enabled': 'true',
        'routing.http.preserve_host_header.enabled': 'true',
        'idle_timeout.timeout_seconds': '660',
      }),
    ]);
  });

  it('forwards each port to the same port of the tasks, and lets open calls finish before a task stops', () => {
    const groups = Object.entries(template.findResources('AWS::ElasticLoadBalancingV2::TargetGroup'));
    const portOf = new Map(groups.map(([id, { Properties }]) => [id, Properties.Port]));
    const listeners = Object.values(template.findResources('AWS::ElasticLoadBalancingV2::Listener'));
    const leads = listeners.map(({ Properties }) => [
      Properties.Port,
      portOf.get(Properties.DefaultActions[0].TargetGroupArn.Ref),
    ]);
    expect(leads).toEqual([
      [8080, 8080],
      [8081, 8081],
    ]);
    const { LoadBalancers } = onlyOne(template, 'AWS::ECS::Service').properties;
    expect(
      LoadBalancers.map(
        ({ ContainerPort, TargetGroupArn }: { ContainerPort: number; TargetGroupArn: { Ref: string } }) => [
          ContainerPort,
          portOf.get(TargetGroupArn.Ref),
        ],
      ),
    ).toEqual(leads);
    template.allResourcesProperties('AWS::ElasticLoadBalancingV2::TargetGroup', {
      TargetType: 'ip',
      HealthCheckPath: '/health',
    });
    for (const attributes of attributesOf('AWS::ElasticLoadBalancingV2::TargetGroup', 'TargetGroupAttributes'))
      expect(attributes).toMatchObject({ 'deregistration_delay.timeout_seconds': '660' });
  });
});

describe('the service', () => {
  it('runs ARM64 tasks of an image that is built from this repository', () => {
    template.hasResourceProperties('AWS::ECS::TaskDefinition', {
      Cpu: '512',
      Memory: '2048',
      RuntimePlatform: { CpuArchitecture: 'ARM64', OperatingSystemFamily: 'LINUX' },
      ContainerDefinitions: [Match.objectLike({ Name: 'ingress', ReadonlyRootFilesystem: true, StopTimeout: 120 })],
    });
    const { Environment, PortMappings } = onlyContainer(template);
    expect(Environment).toEqual(
      expect.arrayContaining([
        { Name: 'GATEWAY_PORT', Value: '8080' },
        { Name: 'DIRECT_PORT', Value: '8081' },
        { Name: 'DEPLOYMENT', Value: 'gpu-endpoints' },
      ]),
    );
    expect(PortMappings.map(({ ContainerPort }) => ContainerPort)).toEqual([8080, 8081]);
    expect(Object.keys(images)).toEqual(['gpu-endpoints/ingress']);
    expect(images['gpu-endpoints/ingress']).toEqual(expect.arrayContaining(['core', 'aws', 'ingress']));
    expect(images['gpu-endpoints/ingress']).not.toContain('lib');
  });

  it('does not change the number of tasks in a deployment, and rolls it back if no task becomes healthy', () => {
    template.hasResourceProperties('AWS::ECS::Service', {
      DesiredCount: Match.absent(),
      DeploymentConfiguration: {
        DeploymentCircuitBreaker: { Enable: true, Rollback: true },
        MinimumHealthyPercent: 100,
        MaximumPercent: 200,
      },
    });
  });

  it('grows when tasks have half of their maximum number of open calls', () => {
    template.hasResourceProperties('AWS::ApplicationAutoScaling::ScalableTarget', { MinCapacity: 1, MaxCapacity: 10 });
    template.hasResourceProperties('AWS::ApplicationAutoScaling::ScalingPolicy', {
      PolicyType: 'TargetTrackingScaling',
      TargetTrackingScalingPolicyConfiguration: {
        TargetValue: 1_000,
        CustomizedMetricSpecification: {
          Namespace: 'gpu-endpoints/Platform',
          MetricName: 'OpenCalls',
          Dimensions: [{ Name: 'service', Value: 'gpu-endpoints' }],
          Statistic: 'Average',
        },
      },
    });
  });

  it('grows when its tasks use 60 % of their CPU', () => {
    template.hasResourceProperties('AWS::ApplicationAutoScaling::ScalingPolicy', {
      TargetTrackingScalingPolicyConfiguration: {
        TargetValue: 60,
        PredefinedMetricSpecification: { PredefinedMetricType: 'ECSServiceAverageCPUUtilization' },
      },
    });
  });

  it('does not replace a task that does not answer for 20 s, because large bodies can keep it busy', () => {
    template.allResourcesProperties('AWS::ElasticLoadBalancingV2::TargetGroup', {
      HealthCheckIntervalSeconds: 10,
      HealthCheckTimeoutSeconds: 8,
      UnhealthyThresholdCount: 5,
    });
    template.hasResourceProperties('AWS::ECS::TaskDefinition', {
      ContainerDefinitions: [
        Match.objectLike({ Name: 'ingress', HealthCheck: Match.objectLike({ Interval: 10, Timeout: 10, Retries: 5 }) }),
      ],
    });
  });

  it('has an alarm for each port without a healthy task', () => {
    const alarms = template.findResources('AWS::CloudWatch::Alarm', {
      Properties: {
        Namespace: 'AWS/ApplicationELB',
        MetricName: 'HealthyHostCount',
        Threshold: 1,
        ComparisonOperator: 'LessThanThreshold',
        TreatMissingData: 'breaching',
      },
    });
    const groups = Object.values(alarms).map(({ Properties }) => JSON.stringify(Properties.Dimensions));
    const targets = Object.keys(template.findResources('AWS::ElasticLoadBalancingV2::TargetGroup'));
    expect(groups).toHaveLength(targets.length);
    for (const target of targets) expect(groups.some((text) => text.includes(target))).toBe(true);
  });
});

/** Returns the condition of a grant on partitions whose keys match the pattern. */
const inPartitions = (keys: string) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [keys] },
  Null: { 'dynamodb:LeadingKeys': 'false' },
});

describe('the task role of the ingress', () => {
  const granted = permissionsOf(template, roleNamed(template, 'IngressTaskTaskRole'));
  const on = (table: string) =>
    granted.filter((permission) => permission.on === table).flatMap(({ actions }) => actions);

  it('allows the calls of run, runsync, status-sync, stream and openai, and reading keys', () => {
    const tables = [
      ...new Set(granted.filter(({ actions }) => actions[0]?.startsWith('dynamodb:')).map((one) => one.on)),
    ];
    const actual = tables.map((table) => [table, new Set(on(table).map((name) => name.replace('dynamodb:', '')))]);
    expect(Object.fromEntries(actual)).toEqual({
      Arrivals: new Set(['Query']),
      Deliveries: new Set(['GetItem']),
      Endpoints: new Set(['DeleteItem', 'Query', 'UpdateItem']),
      Jobs: new Set(['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem']),
      Keys: new Set(['GetItem']),
      Payloads: new Set(['GetItem', 'PutItem', 'Query', 'UpdateItem']),
      Workers: new Set(['Query']),
    });
    const variables = onlyContainer(template).Environment.map(({ Name }) => Name);
    const named = tables.map((table) => `${table.toUpperCase()}_TABLE`);
    expect(new Set(variables.filter((name) => name.endsWith('_TABLE')))).toEqual(new Set(named));
  });

  it('allows only what the replaced functions may do, deleting slots, and counting requests', () => {
    const { template: functions } = stackOf(synthesizeWith({ ingress: 'off' }), 'Platform');
    const roles = ['JobsRunRole', 'JobsRunSync', 'JobsStatusSync', 'JobsStream', 'JobsOpenAi', 'AuthorizerAuthorize'];
    const flat = (permissions: ReturnType<typeof permissionsOf>) =>
      permissions.flatMap(({ on: resource, actions, condition }) =>
        actions.map((action) => JSON.stringify([action, resource, condition ?? null])),
      );
    const theirs = new Set(roles.flatMap((name) => flat(permissionsOf(functions, roleNamed(functions, name)))));
    const own = (action: string, keys: string) => JSON.stringify([action, 'Endpoints', inPartitions(keys)]);
    expect(new Set(flat(granted).filter((permission) => !theirs.has(permission)))).toEqual(
      new Set([own('dynamodb:DeleteItem', 'waits#*'), own('dynamodb:UpdateItem', 'direct#*')]),
    );
  });

  it('allows writing slots of waiting calls and counts of direct requests, but not endpoints', () => {
    const writes = granted.filter((one) => one.on === 'Endpoints' && !one.actions.includes('dynamodb:Query'));
    const conditions = new Set(writes.map(({ condition }) => JSON.stringify(condition)));
    expect(conditions).toEqual(new Set(['waits#*', 'direct#*'].map((keys) => JSON.stringify(inPartitions(keys)))));
  });
});
