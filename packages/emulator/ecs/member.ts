/** A task of a service with its deployment. */
import type { Deployment } from './deployment.ts';
import { rules } from './rules.ts';
import type { Task } from './task.ts';

export interface Member {
  readonly task: Task;
  readonly deployment: Deployment;
  readonly startedAt: number;
  /** Whether the service already waits for the task to count as healthy without a health check. */
  waited: boolean;
}

/** Sorts tasks for a scale-in: tasks that do not run yet first, then the newest. */
export const inScaleInOrder = (oldestFirst: readonly Member[]): Member[] => {
  const runs = ({ task }: Member) => Number(task.state().lastStatus === 'RUNNING');
  return oldestFirst.toReversed().toSorted((one, other) => runs(one) - runs(other));
};

/** Returns whether the end of a task counts as a failure of its deployment. */
export function hasFailed({ startedAt, stoppedReason }: ReturnType<Task['state']>): boolean {
  return startedAt === undefined || stoppedReason === rules.unhealthy.value.stoppedReason;
}
