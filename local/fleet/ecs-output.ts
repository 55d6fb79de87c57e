/** What ECS says of task definitions, services and tasks. */
import { arnOf, type Revision } from './families.ts';
import { clusterArn, deploymentId, serviceArn } from './names.ts';
import type { Service } from './service.ts';
import type { ServiceState } from './service-states.ts';
import type { Task } from './task.ts';

/** The counts as ECS has them: tasks that stop are in neither. */
export function describeService(service: Service): object {
  const { cluster, serviceName } = service.definition;
  const taskDefinition = service.taskDefinition();
  const itsArn = serviceArn(cluster, serviceName);
  const states = service.tasks().map(({ state }) => state());
  const counts = {
    desiredCount: service.desiredCount(),
    runningCount: states.filter(({ lastStatus }) => lastStatus === 'RUNNING').length,
    pendingCount: states.filter(({ lastStatus }) => lastStatus === 'PROVISIONING' || lastStatus === 'PENDING').length,
  };
  const { startedAt: createdAt } = service;
  const deployment = { id: deploymentId(itsArn), status: 'PRIMARY', taskDefinition: taskDefinition.arn, ...counts };
  return {
    serviceArn: itsArn,
    serviceName,
    clusterArn: clusterArn(cluster),
    status: 'ACTIVE',
    schedulingStrategy: 'REPLICA',
    taskDefinition: taskDefinition.arn,
    ...counts,
    createdAt,
    deployments: [{ ...deployment, createdAt, updatedAt: createdAt }],
    events: [],
  };
}

/** A service that does not run yet. */
export function describeAsTold(itsArn: string, told: ServiceState): object {
  const [cluster = '', serviceName = ''] = itsArn.split('/').slice(1);
  const counts = { ...told, runningCount: 0, pendingCount: 0 };
  return {
    serviceArn: itsArn,
    serviceName,
    clusterArn: clusterArn(cluster),
    status: 'ACTIVE',
    schedulingStrategy: 'REPLICA',
    ...counts,
    deployments: [{ id: deploymentId(itsArn), status: 'PRIMARY', ...counts }],
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

/** As the protocol has it: times are seconds since 1970. */
export function onTheWire(value: unknown): unknown {
  if (value instanceof Date) return value.getTime() / 1000;
  if (Array.isArray(value)) return value.map(onTheWire);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, onTheWire(member)]));
}
