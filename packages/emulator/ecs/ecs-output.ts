/** The descriptions of task definitions, services and tasks in responses of ECS. */
import type { Deployment } from './deployment.ts';
import { arnOf, type Revision } from './families.ts';
import { clusterArn, serviceArn } from './names.ts';
import type { Service } from './service.ts';
import type { ServiceSettings } from './service-memory.ts';
import type { Task } from './task.ts';

/** Counts running and pending tasks. Stopping tasks are in neither count. */
function countsOf(tasks: readonly Task[]) {
  const states = tasks.map(({ state }) => state()).filter(({ desiredStatus }) => desiredStatus === 'RUNNING');
  return {
    runningCount: states.filter(({ lastStatus }) => lastStatus === 'RUNNING').length,
    pendingCount: states.filter(({ lastStatus }) => lastStatus === 'PROVISIONING' || lastStatus === 'PENDING').length,
  };
}

function describeDeployment(service: Service, deployment: Deployment, at: number): object {
  const tasks = service.tasks().filter(({ state }) => state().startedBy === deployment.id);
  const counts = countsOf(tasks);
  return {
    id: deployment.id,
    status: at === 0 ? 'PRIMARY' : 'ACTIVE',
    taskDefinition: deployment.taskDefinition.arn,
    // An old deployment desires only the tasks that it still has.
    desiredCount: at === 0 ? service.desiredCount() : counts.runningCount + counts.pendingCount,
    ...counts,
    failedTasks: deployment.failedTasks,
    rolloutState: deployment.rolloutState,
    rolloutStateReason: deployment.reason,
    createdAt: deployment.createdAt,
    updatedAt: deployment.updatedAt,
  };
}

/** Returns the capacity providers with equal weights, because this machine is the only capacity. */
const strategyOf = (providers: readonly string[] = []) => ({
  ...(providers.length > 0 && {
    capacityProviderStrategy: providers.map((capacityProvider) => ({ capacityProvider, weight: 1, base: 0 })),
  }),
});

export function describeService(service: Service): object {
  const { cluster, serviceName, deploymentConfiguration, capacityProviders } = service.definition;
  const { circuitBreaker: deploymentCircuitBreaker, ...bounds } = deploymentConfiguration;
  const deployments = service.deployments();
  return {
    serviceArn: serviceArn(cluster, serviceName),
    serviceName,
    clusterArn: clusterArn(cluster),
    status: 'ACTIVE',
    schedulingStrategy: 'REPLICA',
    taskDefinition: deployments[0]?.taskDefinition.arn,
    desiredCount: service.desiredCount(),
    ...strategyOf(capacityProviders),
    ...countsOf(service.tasks()),
    deploymentConfiguration: { ...bounds, deploymentCircuitBreaker },
    createdAt: service.startedAt,
    deployments: deployments.map((deployment, at) => describeDeployment(service, deployment, at)),
    events: [],
  };
}

/** Describes a service that does not run yet. */
export function describeSettings(
  itsArn: string,
  { desiredCount, taskDefinition, capacityProviders }: ServiceSettings,
): object {
  const [cluster = '', serviceName = ''] = itsArn.split('/').slice(1);
  const counts = { desiredCount, taskDefinition, runningCount: 0, pendingCount: 0 };
  return {
    serviceArn: itsArn,
    serviceName,
    clusterArn: clusterArn(cluster),
    status: 'ACTIVE',
    schedulingStrategy: 'REPLICA',
    ...counts,
    ...strategyOf(capacityProviders),
    deployments: [],
    events: [],
  };
}

export function describeTaskDefinition(found: Revision): object {
  const { revision, status, registration, registeredBy, registeredAt, deregisteredAt } = found;
  const { tags, ...members } = registration;
  return {
    taskDefinitionArn: arnOf(found),
    revision,
    status,
    volumes: [],
    placementConstraints: [],
    ...members,
    registeredBy,
    registeredAt: new Date(registeredAt),
    ...(deregisteredAt !== undefined && { deregisteredAt: new Date(deregisteredAt) }),
  };
}

export function describeTask({ state }: Task): object {
  const { updatedAt, ...described } = state();
  return described;
}

/** Converts times to seconds since 1970, as in the protocol. */
export function onTheWire(value: unknown): unknown {
  if (value instanceof Date) return value.getTime() / 1000;
  if (Array.isArray(value)) return value.map(onTheWire);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, onTheWire(member)]));
}
