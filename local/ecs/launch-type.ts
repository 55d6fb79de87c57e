/** Decides which task definitions a service can run: those of the launch type of its capacity providers. */
import { rules } from './rules.ts';
import type { Registration } from './task-definition-input.ts';

export type LaunchType = 'EC2' | 'FARGATE';

const OF_FARGATE: readonly string[] = ['FARGATE', 'FARGATE_SPOT'];

/**
 * @param providers names in the service's strategy; without any, the cluster's default decides, which is not known here
 */
function launchTypeOf(providers: readonly string[]): LaunchType | undefined {
  const [first] = providers;
  if (first === undefined) return undefined;
  return OF_FARGATE.includes(first) ? 'FARGATE' : 'EC2';
}

/**
 * Returns why a service cannot run a definition, in ECS's words, or undefined if it can.
 * @param compatibilities what the definition was validated for; without any, all
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

/** @throws Error if the definition requires Fargate but Fargate cannot run it */
export function checkFargate({ requiresCompatibilities, networkMode, containerDefinitions }: Registration): void {
  if (!requiresCompatibilities?.includes('FARGATE')) return;
  if (networkMode !== 'awsvpc') throw new Error(rules.fargateNetwork.value);
  if (containerDefinitions.some(({ resourceRequirements = [] }) => resourceRequirements.length > 0))
    throw new Error(rules.fargateGpus.value);
}
