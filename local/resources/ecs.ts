import type * as z from 'zod/mini';
import { arn } from '../account.ts';
import type { Stack } from '../assembly.ts';
import type { ContainerDefinition } from '../fleet/definitions.ts';
import * as definitions from '../fleet/definitions.ts';
import { clusterArn, serviceArn } from '../fleet/names.ts';
import { LocalError } from '../local-error.ts';
import { describe, physicalName, run } from '../resource.ts';
import { roleName } from './lambda.ts';

type Container = z.output<typeof definitions.taskDefinition>['ContainerDefinitions'][number];

/** The tag of an image that CDK builds is the hash of its asset, which has a readable name; other images are their own. */
const imageName = (stack: Stack, image: string) => stack.imageAsset(image.split(':').at(-1) ?? '') ?? image;

function containerOf(stack: Stack, container: Container): ContainerDefinition {
  const { HealthCheck, RestartPolicy } = container;
  const gpus = container.ResourceRequirements.reduce((sum, { Value }) => sum + Value, 0);
  return {
    name: container.Name,
    image: imageName(stack, container.Image),
    essential: container.Essential,
    environment: Object.fromEntries(container.Environment.map(({ Name, Value }) => [Name, Value])),
    dependsOn: container.DependsOn.map(({ ContainerName, Condition }) => ({
      container: ContainerName,
      condition: Condition,
    })),
    ...(HealthCheck && {
      healthCheck: {
        interval: HealthCheck.Interval * 1000,
        timeout: HealthCheck.Timeout * 1000,
        startPeriod: HealthCheck.StartPeriod * 1000,
        retries: HealthCheck.Retries,
      },
    }),
    stopTimeout: container.StopTimeout * 1000,
    ...(gpus > 0 && { gpus }),
    ...(RestartPolicy?.Enabled && {
      restartPolicy: {
        ignoredExitCodes: RestartPolicy.IgnoredExitCodes,
        attemptPeriod: RestartPolicy.RestartAttemptPeriod * 1000,
      },
    }),
  };
}

/** @throws LocalError where ECS would refuse to register the task definition */
function inStartOrder(containers: readonly ContainerDefinition[], where: string): ContainerDefinition[] {
  const ordered: ContainerDefinition[] = [];
  const isStarted = (name: string) => ordered.some((container) => container.name === name);
  while (ordered.length < containers.length) {
    const next = containers.find(
      ({ name, dependsOn }) => !isStarted(name) && dependsOn.every(({ container }) => isStarted(container)),
    );
    if (!next) throw new LocalError(`${where} cannot run here: its containers wait for each other.`);
    const unchecked = next.dependsOn.find(
      ({ container, condition }) =>
        condition === 'HEALTHY' && !ordered.find(({ name }) => name === container)?.healthCheck,
    );
    if (unchecked)
      throw new LocalError(`${where} cannot run here: ${unchecked.container} has no health check to wait for.`);
    ordered.push(next);
  }
  return ordered;
}

export const taskDefinition = run(definitions.taskDefinition, (resource, { fleet }) => {
  const { Family, ContainerDefinitions, TaskRoleArn } = resource.properties;
  const containers = ContainerDefinitions.map((container) => containerOf(resource.stack, container));
  const definition = {
    arn: arn('ecs', `task-definition/${Family}:1`),
    family: Family,
    role: roleName(TaskRoleArn),
    roleArn: TaskRoleArn,
    containers: inStartOrder(containers, describe(resource)),
  };
  fleet.taskDefinitions.set(definition.arn, definition);
  return { ref: definition.arn, attributes: { TaskDefinitionArn: definition.arn } };
});

export const cluster = run(definitions.cluster, (resource, { fleet }) => {
  const name = resource.properties.ClusterName ?? physicalName(resource);
  fleet.clusters.add(name);
  return { ref: name, attributes: { Arn: clusterArn(name) } };
});

export const capacityProvider = run(definitions.capacityProvider, (resource, { fleet }) => {
  const name = resource.properties.Name ?? physicalName(resource);
  fleet.capacityProviders.add(name);
  return { ref: name };
});

export const service = run(definitions.service, (resource, { fleet }) => {
  const { Cluster, TaskDefinition, DesiredCount, PropagateTags, Tags, CapacityProviderStrategy } = resource.properties;
  const missing = CapacityProviderStrategy.find(({ CapacityProvider: name }) => !fleet.capacityProviders.has(name));
  if (missing)
    throw new LocalError(
      `${describe(resource)} cannot run here: there is no capacity provider ${missing.CapacityProvider}.`,
    );
  const definition = fleet.taskDefinitions.get(TaskDefinition);
  if (!definition) throw new LocalError(`${describe(resource)} cannot run here: there is no task ${TaskDefinition}.`);
  const serviceName = physicalName(resource);
  fleet.clusters.add(Cluster);
  fleet.services.push({
    name: resource.stack.name,
    serviceName,
    cluster: Cluster,
    taskDefinition: definition,
    taskTags: Object.fromEntries(PropagateTags === 'SERVICE' ? Tags.map(({ Key, Value }) => [Key, Value]) : []),
    ...(DesiredCount !== undefined && { desiredCount: DesiredCount }),
  });
  const itsArn = serviceArn(Cluster, serviceName);
  return { ref: itsArn, attributes: { Name: serviceName, ServiceArn: itsArn } };
});
