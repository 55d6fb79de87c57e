/** The deployments of a service: the primary one, and others that have tasks or can get them again. */
import type { ServiceDefinition, TaskDefinition } from './definitions.ts';
import { createDeployment, type Deployment, deploymentEvent, type RolloutState } from './deployment.ts';
import { serviceArn } from './names.ts';
import { failureThreshold } from './rollout.ts';
import { rules } from './rules.ts';
import type { EcsEvent } from './task-state.ts';

/** The part of the deployments that outlives a restart, which stops all tasks. */
export interface KeptDeployments {
  readonly id: string;
  readonly taskDefinition: TaskDefinition;
  readonly rolloutState: RolloutState;
  /** Task definition of the last completed deployment. */
  readonly completed?: TaskDefinition;
}

export interface Deployments {
  /** Returns the primary deployment: the newest one, or the one to which the service rolls back. */
  primary(): Deployment;
  /** Returns all deployments that have tasks or can get them again, the primary one first. */
  all(): readonly Deployment[];
  /** Returns whether the service can start tasks of the deployment. */
  mayStart(deployment: Deployment): boolean;
  begin(taskDefinition: TaskDefinition): void;
  /** Records that a task of the deployment is healthy. Later failures are not counted. */
  recordHealthy(deployment: Deployment): void;
  /**
   * Counts a failed task of the deployment. With the circuit breaker, the deployment fails at the failure
   * threshold. With rollback, the last completed deployment then replaces it.
   */
  recordFailure(deployment: Deployment, desired: number): void;
  /** Completes the primary deployment: it has all desired tasks, and no other deployment has any. */
  complete(): void;
  /** Removes deployments that have no tasks and get none. */
  prune(hasTasks: (deployment: Deployment) => boolean): void;
}

export interface DeploymentsOptions {
  readonly definition: ServiceDefinition;
  /** The deployments of the previous run. */
  readonly before?: KeptDeployments;
  now(): Date;
  publish(event: EcsEvent): void;
  notify(text: string): void;
  changed(kept: KeptDeployments): void;
}

export function createDeployments(options: DeploymentsOptions): Deployments {
  const { definition, before, now, publish, notify, changed } = options;
  const { name, cluster, serviceName, deploymentConfiguration } = definition;
  const { enable, rollback } = deploymentConfiguration.circuitBreaker;
  let list: Deployment[] = [];
  let completed: Deployment | undefined;

  const isNewest = (deployment: Deployment) => list[0] === deployment;

  function enter(deployment: Deployment, rolloutState: RolloutState, reason: string): void {
    Object.assign(deployment, { rolloutState, reason, updatedAt: now() });
    publish(deploymentEvent(serviceArn(cluster, serviceName), deployment));
  }

  function keep(): void {
    const { id, taskDefinition, rolloutState } = newest();
    changed({ id, taskDefinition, rolloutState, ...(completed && { completed: completed.taskDefinition }) });
  }

  function newest(): Deployment {
    const [first] = list;
    if (!first) throw new Error(`${serviceName} has no deployment.`);
    return first;
  }

  function begin(taskDefinition: TaskDefinition): void {
    const deployment = createDeployment(taskDefinition, now());
    list = [deployment, ...list];
    enter(deployment, 'IN_PROGRESS', deployment.reason);
    keep();
  }

  function recall({ id, taskDefinition, rolloutState, completed: last }: KeptDeployments): void {
    const deployment = createDeployment(taskDefinition, now(), id);
    if (rolloutState === 'COMPLETED') {
      Object.assign(deployment, { rolloutState, reason: completedReason(id), proven: true });
      completed = deployment;
    } else if (last) completed = { ...createDeployment(last, now()), rolloutState: 'COMPLETED', proven: true };
    list = completed && completed !== deployment ? [deployment, completed] : [deployment];
  }

  function rollBack(to: Deployment): void {
    list = [to, ...list.filter((each) => each !== to)];
    enter(to, 'IN_PROGRESS', `${rules.circuitBreaker.value.rollingBack} ${to.id}.`);
  }

  if (before) recall(before);
  else begin(definition.taskDefinition);

  return {
    primary: newest,
    all: () => list,
    mayStart(deployment) {
      if (isNewest(deployment)) return deployment.rolloutState !== 'FAILED';
      return deployment === completed && newest().rolloutState === 'IN_PROGRESS';
    },
    begin,
    recordHealthy(deployment) {
      if (deployment.proven) return;
      Object.assign(deployment, { proven: true, failedTasks: 0 });
    },
    recordFailure(deployment, desired) {
      if (!isNewest(deployment) || deployment.proven || deployment.rolloutState !== 'IN_PROGRESS') return;
      deployment.failedTasks += 1;
      if (!enable || deployment.failedTasks < failureThreshold(desired)) return;
      enter(deployment, 'FAILED', rules.circuitBreaker.value.failed);
      const back = rollback ? completed : undefined;
      notify(
        `${name} could not be moved to ${revisionName(deployment)}: ${deployment.failedTasks} tasks did not start. ` +
          (back ? `It rolls back to ${revisionName(back)}.` : 'The service starts no further tasks.'),
      );
      if (back) rollBack(back);
      keep();
    },
    complete() {
      const deployment = newest();
      if (deployment.rolloutState !== 'IN_PROGRESS') return;
      completed = deployment;
      enter(deployment, 'COMPLETED', completedReason(deployment.id));
      keep();
    },
    prune(hasTasks) {
      const isKept = (each: Deployment) =>
        isNewest(each) || hasTasks(each) || (each === completed && newest().rolloutState !== 'COMPLETED');
      list = list.filter(isKept);
    },
  };
}

/** Returns the name of the revision, such as `echo:2`. */
const revisionName = ({ taskDefinition }: Deployment) => taskDefinition.arn.split('/').at(-1);

const completedReason = (id: string) => `ECS deployment ${id} completed.`;
