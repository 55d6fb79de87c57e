import * as z from 'zod/mini';
import type { Cloud } from '../../cloud.ts';
import * as definitions from '../../ecs/definitions.ts';
import { arnOf, runnable } from '../../ecs/families.ts';
import { launchTypeRefusal } from '../../ecs/launch-type.ts';
import { clusterArn, serviceArn } from '../../ecs/names.ts';
import { registerInput } from '../../ecs/task-definition-input.ts';
import type { ServiceTarget } from '../../ecs/traffic.ts';
import { LocalError } from '../../local-error.ts';
import { describe, nameInAws, physicalName, type Resource } from '../resource.ts';
import { run } from '../resource-type.ts';

/** Members whose names in templates differ from the API in more than the case of the first letter. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  EFSVolumeConfiguration: 'efsVolumeConfiguration',
  FilesystemId: 'fileSystemId',
  IAM: 'iam',
};

/** Mappings whose names are chosen by the template. */
const MAPPINGS = new Set(['DockerLabels', 'Options']);

/** Converts member names of templates, which are capitalized, to those of the API. */
function asInApi(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asInApi);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    OTHER_NAMES[name] ?? name.replace(/^[A-Z]/, (letter) => letter.toLowerCase()),
    MAPPINGS.has(name) ? member : asInApi(member),
  ]);
  return Object.fromEntries(members);
}

type TaskDefinitionProperties = z.output<typeof definitions.taskDefinition>;

const withLocalVariables = (properties: TaskDefinitionProperties, { product }: Cloud): TaskDefinitionProperties => ({
  ...properties,
  ContainerDefinitions: properties.ContainerDefinitions.map((container) => {
    const variables = Object.fromEntries(container.Environment.map(({ Name, Value }) => [Name, Value]));
    const Environment = Object.entries(product.localVariables?.(variables) ?? variables);
    return { ...container, Environment: Environment.map(([Name, Value]) => ({ Name, Value })) };
  }),
});

export const taskDefinition = run(definitions.taskDefinition, (resource, cloud) => {
  const { ecs } = cloud;
  const { stack, logicalId, properties } = resource;
  const registration = z.parse(registerInput, asInApi(withLocalVariables(properties, cloud)));
  try {
    const { imageAsset } = stack;
    const itsArn = arnOf(ecs.families.register(registration, { resource: `${stack.id}/${logicalId}`, imageAsset }));
    return { ref: itsArn, attributes: { TaskDefinitionArn: itsArn } };
  } catch (error) {
    throw new LocalError(`${describe(resource)} cannot run here: ${(error as Error).message}.`, { cause: error });
  }
});

export const cluster = run(definitions.cluster, (resource, { ecs }) => {
  const name = resource.properties.ClusterName ?? nameInAws(resource);
  ecs.clusters.add(name);
  return { ref: name, attributes: { Arn: clusterArn(name) } };
});

export const capacityProvider = run(definitions.capacityProvider, (resource, { ecs }) => {
  const name = resource.properties.Name ?? physicalName(resource);
  ecs.capacityProviders.add(name);
  return { ref: name };
});

type ServiceResource = Resource<z.output<typeof definitions.service>>;

/**
 * Finds the target groups of a service.
 * @throws LocalError for a container or port that the task does not have, or a target group without a listener
 */
function targetsOf(
  resource: ServiceResource,
  { containers }: definitions.TaskDefinition,
  { targetGroups }: Cloud['loadBalancers'],
): ServiceTarget[] {
  const refuse = (reason: string) => new LocalError(`${describe(resource)} cannot run here: ${reason}.`);
  return resource.properties.LoadBalancers.map(({ ContainerName, ContainerPort, TargetGroupArn }) => {
    const group = targetGroups.get(TargetGroupArn);
    if (!group) throw refuse(`there is no target group ${TargetGroupArn}`);
    if (group.listeners.size === 0)
      throw refuse(`no listener forwards to ${TargetGroupArn}, or the service does not depend on that listener`);
    if (!containers.find(({ name }) => name === ContainerName)?.ports?.includes(ContainerPort))
      throw refuse(`its task has no container ${ContainerName} with port ${ContainerPort}`);
    return { container: ContainerName, port: ContainerPort, group };
  });
}

export const service = run(definitions.service, (resource, { ecs, loadBalancers }) => {
  const {
    Cluster,
    TaskDefinition,
    DesiredCount,
    DeploymentConfiguration,
    PropagateTags,
    Tags,
    CapacityProviderStrategy,
  } = resource.properties;
  const { Enable, Rollback } = DeploymentConfiguration.DeploymentCircuitBreaker;
  const revision = ecs.families.find(TaskDefinition);
  if (!revision)
    throw new LocalError(`${describe(resource)} cannot run here: there is no task definition ${TaskDefinition}.`);
  const missing = CapacityProviderStrategy.find(({ CapacityProvider: name }) => !ecs.capacityProviders.has(name));
  if (missing)
    throw new LocalError(
      `${describe(resource)} cannot run here: there is no capacity provider ${missing.CapacityProvider}.`,
    );
  const capacityProviders = CapacityProviderStrategy.map(({ CapacityProvider: name }) => name);
  const runs = runnable(revision);
  const refusal = launchTypeRefusal(runs.compatibilities, capacityProviders);
  if (refusal !== undefined) throw new LocalError(`${describe(resource)} cannot run here: ${runs.arn}: ${refusal}`);
  const targets = targetsOf(resource, runs, loadBalancers);
  const serviceName = physicalName(resource);
  ecs.clusters.add(Cluster);
  const declared = {
    name: resource.stack.id,
    serviceName,
    cluster: Cluster,
    declared: TaskDefinition,
    taskDefinition: runs,
    capacityProviders,
    properties: resource.properties,
    deploymentConfiguration: {
      minimumHealthyPercent: DeploymentConfiguration.MinimumHealthyPercent,
      maximumPercent: DeploymentConfiguration.MaximumPercent,
      circuitBreaker: { enable: Enable, rollback: Rollback },
    },
    taskTags: Object.fromEntries(PropagateTags === 'SERVICE' ? Tags.map(({ Key, Value }) => [Key, Value]) : []),
    ...(targets.length > 0 && {
      targets,
      healthCheckGrace: resource.properties.HealthCheckGracePeriodSeconds * 1000,
    }),
    ...(DesiredCount !== undefined && { desiredCount: DesiredCount }),
  };
  ecs.services.push(declared);
  ecs.memory.declare(declared);
  const itsArn = serviceArn(Cluster, serviceName);
  return { ref: itsArn, attributes: { Name: serviceName, ServiceArn: itsArn } };
});
