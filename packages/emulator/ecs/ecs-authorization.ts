/** Determines the permissions that a call to ECS needs, as in the Service Authorization Reference. */
import type { Access } from '../iam/evaluate.ts';
import type { Input, Operation } from './ecs-input.ts';
import type { Families } from './families.ts';
import { asServiceArn, asTaskArn, clusterArn, clusterName, taskDefinitionArn } from './names.ts';
import type { EcsDefinitions } from './registry.ts';
import type { Registration } from './task-definition-input.ts';

type OfCluster = Extract<Input<Operation>, { cluster: string }>;
type Running = EcsDefinitions['running'];

/**
 * Returns the resource of an input. For several resources of a kind, returns the pattern that matches all resources
 * of this kind in the cluster.
 */
function resourceOf(input: OfCluster): string {
  const cluster = clusterName(input.cluster);
  const only = (names: readonly string[]) => (names.length === 1 ? (names[0] ?? '*') : '*');
  if ('service' in input) return asServiceArn(cluster, input.service);
  if ('services' in input) return asServiceArn(cluster, only(input.services));
  if ('task' in input) return asTaskArn(cluster, input.task);
  if ('tasks' in input) return asTaskArn(cluster, only(input.tasks));
  // ListTasks is authorized on container instances.
  return clusterArn(cluster).replace(':cluster/', ':container-instance/').concat('/*');
}

/** Returns the tags of the task if the input names exactly one; otherwise an empty object. */
function tagsOf(running: Running, input: OfCluster): Record<string, readonly string[]> {
  const named = 'task' in input ? [input.task] : 'tasks' in input ? input.tasks : [];
  const [task] = named.map((name) => asTaskArn(clusterName(input.cluster), name));
  const owner = [...running.values()].find((service) => service.tasks().some((its) => its.state().taskArn === task));
  if (named.length !== 1 || !owner) return {};
  const tags = Object.entries(owner.definition.taskTags);
  return Object.fromEntries(tags.map(([key, value]) => [`aws:ResourceTag/${key}`, [value]]));
}

/** Returns the accesses for passing roles, which a caller needs to run tasks under the roles. */
function passing({ taskRoleArn, executionRoleArn }: Registration): Access[] {
  const roles = [taskRoleArn, ...(executionRoleArn === undefined ? [] : [executionRoleArn])];
  const context = { 'iam:PassedToService': ['ecs-tasks.amazonaws.com'] };
  return roles.map((resource) => ({ action: 'iam:PassRole', resource, context }));
}

/** Returns the task definition that an input registers or sets for a service, if any. */
function registrationOf(families: Families, input: Input<Operation>): Registration | undefined {
  if ('containerDefinitions' in input) return input;
  if (!('service' in input) || input.taskDefinition === undefined) return undefined;
  return families.find(input.taskDefinition)?.registration;
}

export function authorizationOf(
  { families, running }: Pick<EcsDefinitions, 'families' | 'running'>,
  operation: Operation,
  input: Input<Operation>,
): Access & { readonly also: readonly Access[] } {
  const registration = registrationOf(families, input);
  const also = registration ? passing(registration) : [];
  const action = `ecs:${operation}`;
  if ('containerDefinitions' in input) return { action, resource: taskDefinitionArn(input.family, '*'), also };
  if (!('cluster' in input)) return { action, resource: '*', also };
  const context = { 'ecs:cluster': [clusterArn(clusterName(input.cluster))], ...tagsOf(running, input) };
  const resource = operation === 'ListContainerInstances' ? clusterArn(clusterName(input.cluster)) : resourceOf(input);
  return { action, resource, context, also };
}
