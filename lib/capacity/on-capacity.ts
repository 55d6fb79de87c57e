/** Creates task definitions and services for a capacity. */
import { Stack } from 'aws-cdk-lib';
import {
  type BaseServiceOptions,
  type CfnService,
  Compatibility,
  type ContainerDefinitionOptions,
  CpuArchitecture,
  Ec2Service,
  type Ec2ServiceProps,
  FargateService,
  LinuxParameters,
  NetworkMode,
  OperatingSystemFamily,
  PlacementConstraint,
  PlacementStrategy,
  TaskDefinition,
} from 'aws-cdk-lib/aws-ecs';
import type { Construct } from 'constructs';
import type { Capacity, TaskNeeds } from './capacity.ts';

/** Creates a task definition of the required size, without containers. */
export function taskOn(scope: Construct, id: string, { compatibility, cpu, memory }: TaskNeeds) {
  const linux = { operatingSystemFamily: OperatingSystemFamily.LINUX, cpuArchitecture: CpuArchitecture.X86_64 };
  return new TaskDefinition(scope, id, {
    // CDK would derive a name from the construct's path, which is the same in every deployment.
    family: `${Stack.of(scope).stackName}-Blueprint`,
    compatibility,
    cpu: String(cpu),
    memoryMiB: String(memory),
    networkMode: NetworkMode.AWS_VPC,
    // On instances, the AMI determines the platform.
    ...(compatibility === Compatibility.FARGATE && { runtimePlatform: linux }),
  });
}

/** Returns the options with which the user's container gets GPUs, devices and shared memory. */
export function hardware(
  scope: Construct,
  { gpus, devices = [], sharedMemory }: TaskNeeds,
): Pick<ContainerDefinitionOptions, 'gpuCount' | 'linuxParameters'> {
  if (sharedMemory === undefined) return {};
  const linuxParameters = new LinuxParameters(scope, 'Devices', { sharedMemorySize: sharedMemory });
  linuxParameters.addDevices(...devices);
  return { ...(gpus !== undefined && { gpuCount: gpus }), linuxParameters };
}

type ServiceOptions = Omit<BaseServiceOptions, 'capacityProviderStrategies'> &
  Pick<Ec2ServiceProps, 'taskDefinition' | 'securityGroups' | 'availabilityZoneRebalancing'>;

/** Creates a service on the capacity provider. Its tasks have only private addresses. */
export function serviceOn(
  scope: Construct,
  id: string,
  { task, alone }: Capacity,
  provider: string,
  options: ServiceOptions,
): FargateService | Ec2Service {
  const capacityProviderStrategies = [{ capacityProvider: provider, weight: 1 }];
  if (task.compatibility === Compatibility.FARGATE) {
    const service = new FargateService(scope, id, { ...options, capacityProviderStrategies, assignPublicIp: false });
    // Without empty lists, a service that was on instances keeps its placement strategies and constraints, which
    // Fargate refuses.
    const template = service.node.defaultChild as CfnService;
    template.placementStrategies = [];
    template.placementConstraints = [];
    return service;
  }
  return new Ec2Service(scope, id, {
    ...options,
    capacityProviderStrategies,
    // Tasks are placed on the instances with the least free memory, so that other instances become empty and are
    // terminated.
    placementStrategies: [PlacementStrategy.packedByMemory()],
    placementConstraints: alone ? [PlacementConstraint.distinctInstances()] : [],
  });
}
