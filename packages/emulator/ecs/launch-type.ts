/** Checks that a service can run a task definition: both need the same launch type. */
import { rules } from './rules.ts';
import type { Registration } from './task-definition-input.ts';

export type LaunchType = 'EC2' | 'FARGATE';

const OF_FARGATE: readonly string[] = ['FARGATE', 'FARGATE_SPOT'];

/**
 * Returns the launch type of capacity providers.
 * @param providers names in the service's strategy; if empty, the cluster's default decides, which is not known
 *   here
 */
function launchTypeOf(providers: readonly string[]): LaunchType | undefined {
  const [first] = providers;
  if (first === undefined) return undefined;
  return OF_FARGATE.includes(first) ? 'FARGATE' : 'EC2';
}

/**
 * Returns the message with which ECS refuses a task definition for a service; undefined if the service can run it.
 * @param compatibilities launch types that the definition was validated for; undefined allows all
 */
export function launchTypeRefusal(
  compatibilities: readonly string[] | undefined,
  providers: readonly string[] = [],
): string | undefined {
  const launchType = launchTypeOf(providers);
  if (launchType === undefined || compatibilities === undefined || compatibilities.includes(launchType))
    return undefined;
  return `${rules.launchType.value} ${launchType}.`;
}

/**
 * Checks the requirements of Fargate.
 * @throws Error if the definition requires Fargate but Fargate cannot run it
 */
export function checkFargate({ requiresCompatibilities, networkMode, containerDefinitions }: Registration): void {
  if (!requiresCompatibilities?.includes('FARGATE')) return;
  if (networkMode !== 'awsvpc') throw new Error(rules.fargateNetwork.value);
  if (containerDefinitions.some(({ resourceRequirements = [] }) => resourceRequirements.length > 0))
    throw new Error(rules.fargateGpus.value);
}
