/** A deployment of a service: a task definition revision that tasks of the service run or will run. */
import { randomBytes } from 'node:crypto';
import type { TaskDefinition } from './definitions.ts';
import { rules } from './rules.ts';
import type { EcsEvent, TaskState } from './task-state.ts';
import type { TrafficState } from './traffic.ts';

export type RolloutState = 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';

export interface Deployment {
  /** Id, such as `ecs-svc/1234567890123456789`. */
  readonly id: string;
  readonly taskDefinition: TaskDefinition;
  readonly createdAt: Date;
  updatedAt: Date;
  rolloutState: RolloutState;
  reason: string;
  /** Consecutive failures until the first task is healthy; later failures are not counted. */
  failedTasks: number;
  proven: boolean;
}

const EVENTS = {
  IN_PROGRESS: { eventType: 'INFO', eventName: 'SERVICE_DEPLOYMENT_IN_PROGRESS' },
  COMPLETED: { eventType: 'INFO', eventName: 'SERVICE_DEPLOYMENT_COMPLETED' },
  FAILED: { eventType: 'ERROR', eventName: 'SERVICE_DEPLOYMENT_FAILED' },
} as const satisfies Record<RolloutState, object>;

export const newDeploymentId = (): string => `ecs-svc/${randomBytes(8).readBigUInt64BE() % 10n ** 19n}`;

export const createDeployment = (taskDefinition: TaskDefinition, now: Date, id = newDeploymentId()): Deployment => ({
  id,
  taskDefinition,
  createdAt: now,
  updatedAt: now,
  rolloutState: 'IN_PROGRESS',
  reason: `ECS deployment ${id} in progress.`,
  failedTasks: 0,
  proven: false,
});

/** Returns the EventBridge event for the current state of a deployment. */
export const deploymentEvent = (service: string, { id, rolloutState, reason, updatedAt }: Deployment): EcsEvent => ({
  source: 'aws.ecs',
  'detail-type': 'ECS Deployment State Change',
  resources: [service],
  detail: { ...EVENTS[rolloutState], deploymentId: id, updatedAt: updatedAt.toISOString(), reason },
});

/**
 * Returns the milliseconds until a task counts as healthy: 0 if it already does; undefined if the task is not
 * running, or if the result depends on health checks.
 * @param traffic state in the task's load balancers, which decides if no container has a health check
 */
export function untilHealthy(
  state: TaskState,
  traffic: TrafficState,
  { containers }: TaskDefinition,
  now: number,
): number | undefined {
  if (state.lastStatus !== 'RUNNING' || state.desiredStatus !== 'RUNNING' || traffic === 'waiting') return undefined;
  const checked = containers.filter(({ essential, healthCheck }) => essential && healthCheck).map(({ name }) => name);
  if (checked.length === 0 && traffic === 'healthy') return 0;
  if (checked.length === 0)
    return Math.max(rules.healthyWithoutCheck.value.milliseconds - (now - (state.startedAt?.getTime() ?? now)), 0);
  const passes = (name: string) => state.containers.find((its) => its.name === name)?.healthStatus === 'HEALTHY';
  return checked.every(passes) ? 0 : undefined;
}
