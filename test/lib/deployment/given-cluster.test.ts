import { describe, expect, it } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { type IVpc, Vpc } from 'aws-cdk-lib/aws-ec2';
import {
  Cluster,
  type ClusterProps,
  ContainerImage,
  FargateService,
  FargateTaskDefinition,
  type ICluster,
} from 'aws-cdk-lib/aws-ecs';
import { GpuEndpoints, type GpuEndpointsProps } from '../../../lib/gpu-endpoints.ts';
import { declare, declarePool, templatesOnly } from '../synthesis.ts';

const pools = [declarePool('nvidia')];
const endpoints = [declare('echo'), declare('gpu', { capacity: 'nvidia' })];

/** Parameter of other stacks with the name that `Fleet` shares. */
const NAME = 'FleetClusterName';

/** Returns an app with a cluster of its own, and with the deployment in it. */
function appWith(props: GpuEndpointsProps, clusterProps: Partial<ClusterProps> = {}) {
  const app = new App({ context: templatesOnly });
  const team = new Stack(app, 'Team');
  // The function that restricts the group is staged in a folder that CDK keeps across test files, and that is removed.
  const vpc = new Vpc(team, 'Vpc', { maxAzs: 2, restrictDefaultSecurityGroup: false });
  const cluster = new Cluster(team, 'Cluster', { vpc: vpc as IVpc, ...clusterProps });
  const gpu = new GpuEndpoints(app, 'Gpu', { endpoints, pools, cluster, ...props });
  const stackOf = (id: string) => Template.fromStack(gpu.node.findChild(id) as Stack);
  return { app, team, vpc, cluster, stackOf };
}

const resourcesOf = (template: Template, type: string) =>
  Object.values(template.findResources(type)).map(({ Properties }) => Properties as Readonly<Record<string, unknown>>);

describe('a cluster that the app gives', () => {
  const { stackOf } = appWith({});
  const [fleet, platform, gpu] = ['Fleet', 'Platform', 'Endpoint-gpu'].map(stackOf) as [Template, Template, Template];
  const importedName = { 'Fn::ImportValue': expect.stringMatching(/^Team:ExportsOutputRefCluster/) };

  it('replaces the cluster and the network of the deployment', () => {
    for (const type of ['AWS::ECS::Cluster', 'AWS::EC2::VPC']) expect(resourcesOf(fleet, type)).toEqual([]);
    expect(resourcesOf(fleet, 'AWS::SSM::Parameter')).toContainEqual(
      expect.objectContaining({ Name: '/gpu-endpoints/Fleet/ClusterName', Value: importedName }),
    );
  });

  it('gets Fargate and the pools as its capacity providers, from the stack of the pools', () => {
    expect(resourcesOf(fleet, 'AWS::ECS::ClusterCapacityProviderAssociations')).toEqual([
      {
        Cluster: importedName,
        CapacityProviders: ['FARGATE', 'FARGATE_SPOT', { Ref: expect.stringMatching(/^Poolnvidia/) }],
        DefaultCapacityProviderStrategy: [],
      },
    ]);
  });

  it('gets the instances of the pools', () => {
    const [template] = resourcesOf(fleet, 'AWS::EC2::LaunchTemplate');
    expect(JSON.stringify(template)).toMatch(/ECS_CLUSTER=",\{"Fn::ImportValue":"Team:[^"]+"\}," >> \/etc\/ecs/);
  });

  it.each(['Platform', 'Endpoint-echo', 'Endpoint-gpu'])('has the services of %s', (id) => {
    const services = resourcesOf(stackOf(id), 'AWS::ECS::Service');
    expect(services.map(({ Cluster: its }) => its)).toEqual([{ Ref: NAME }]);
  });

  it('is the only cluster in permissions and events', () => {
    const resourcesOfEcs = [platform, gpu].map((template) =>
      JSON.stringify(template.toJSON()).match(/:(?:service|task|cluster|container-instance)\/.{25}/g),
    );
    const its = /^:[a-z-]+\/",\{"Ref":"FleetClusterNa/;
    for (const found of resourcesOfEcs) {
      expect(found).not.toBeNull();
      expect(found?.filter((text) => !its.test(text))).toEqual([]);
    }
    const patterns = resourcesOf(platform, 'AWS::Events::Rule').map(({ EventPattern }) => JSON.stringify(EventPattern));
    const arn = (resource: string, end: string) => `:${resource}/",{"Ref":"${NAME}"}${end}`;
    expect(patterns.filter((pattern) => pattern?.includes(arn('cluster', ']]}')))).toHaveLength(3);
    expect(patterns.filter((pattern) => pattern?.includes(arn('service', ',"/"]]}')))).toHaveLength(2);
  });
});

describe('a cluster that the app cannot give', () => {
  it('is one beside a network', () => {
    const app = new App({ context: templatesOnly });
    const vpc = new Vpc(new Stack(app, 'Other'), 'Vpc', { restrictDefaultSecurityGroup: false });
    expect(() => appWith({ vpc })).toThrow(
      'The app gives `cluster`, whose VPC gets the workers and the ingress, and `vpc`: remove one of them.',
    );
    expect(() => appWith({ settings: { network: { availabilityZones: ['eu-west-1a', 'eu-west-1b'] } } })).toThrow(
      'The context `network` is set, and the app gives `cluster`: remove one of them.',
    );
  });

  it('has capacity providers of its own, which the deployment would replace', () => {
    const { app } = appWith({}, { enableFargateCapacityProviders: true });
    expect(() => app.synth()).toThrow(
      'The app gives `cluster` with capacity providers of its own (Team/Cluster/Cluster): the deployment sets the whole list, with Fargate and its pools. Remove them, or omit `cluster`.',
    );
  });

  it('runs services of its own, which the deployment could change', () => {
    const { app, team, cluster } = appWith({});
    const taskDefinition = new FargateTaskDefinition(team, 'Task');
    taskDefinition.addContainer('web', { image: ContainerImage.fromRegistry('team/web:1') });
    new FargateService(team, 'Web', { cluster: cluster as ICluster, taskDefinition });
    expect(() => app.synth()).toThrow(
      'The app gives `cluster` with services of its own (Team/Web): functions and instances of the deployment can act on everything in its cluster. Give a cluster that runs nothing else, or omit `cluster`.',
    );
  });
});
