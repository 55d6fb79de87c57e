/** Decides how many tasks start and stop now, while a service moves from one revision to another. */
import type { DeploymentConfiguration } from './definitions.ts';
import { rules } from './rules.ts';

/** Counts of tasks, without those that are stopping. */
export interface RolloutCounts {
  readonly desired: number;
  /** Tasks of the primary deployment. */
  readonly primary: { readonly live: number; readonly healthy: number; readonly mayStart: boolean };
  /** Tasks of all other deployments. */
  readonly old: { readonly live: number; readonly mayStart: boolean };
}

/** Number of tasks to start, and maximum number of tasks to stop: protected tasks are not stopped. */
export interface RolloutStep {
  readonly startNew: number;
  readonly startOld: number;
  readonly stopNew: number;
  readonly stopOld: number;
}

const between = (min: number, max: number, count: number) => Math.max(min, Math.min(max, count));

/**
 * Returns the tasks to start and stop. New tasks start up to the maximum. Each old task runs until a healthy new
 * one replaces it. If the maximum leaves no room for new tasks, old ones are stopped down to the minimum. Old tasks
 * that stop by themselves are replaced up to the minimum.
 */
export function rolloutStep(
  { desired, primary, old }: RolloutCounts,
  { minimumHealthyPercent, maximumPercent }: DeploymentConfiguration,
): RolloutStep {
  const min = Math.ceil((desired * minimumHealthyPercent) / 100);
  const max = Math.floor((desired * maximumPercent) / 100);
  const room = Math.max(max - primary.live - old.live, 0);
  const missing = primary.mayStart ? Math.max(desired - primary.live, 0) : 0;
  const startNew = Math.min(missing, room);
  const serving = primary.healthy + old.live;
  const kept = missing > startNew ? min : desired;
  return {
    startNew,
    startOld: old.mayStart ? between(0, room - startNew, min - serving) : 0,
    stopNew: Math.max(primary.live - desired, 0),
    stopOld: between(0, old.live, serving - kept),
  };
}

/** Returns the number of failed tasks at which a deployment fails. */
export function failureThreshold(desired: number): number {
  const { share, min, max } = rules.circuitBreaker.value;
  return between(min, max, Math.ceil(desired * share));
}
