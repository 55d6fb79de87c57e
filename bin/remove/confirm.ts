/** Asks whether to remove. */
import { type Ask, agrees } from '../terminal.ts';
import type { Facts, Target } from './facts.ts';

/**
 * Asks whether to perform the plan, and whether to delete `Storage` too, which needs the name of the deployment.
 * @param ask undefined without a terminal
 * @returns what to remove, or undefined if the user does not agree
 */
export async function confirmed(
  { stacks, deployment }: Pick<Facts, 'stacks' | 'deployment'>,
  target: Target,
  ask: Ask | undefined,
): Promise<Target | undefined> {
  if (!ask || !(await agrees(ask, 'begin'))) return undefined;
  const hasStorage = stacks.some(({ stack }) => stack === 'Storage');
  if (target.of !== 'deployment' || target.withStorage || !hasStorage) return target;
  const typed = await ask(`Type ${deployment} to delete its stack Storage too, or press Enter to keep it: `);
  return { of: 'deployment', withStorage: typed === deployment };
}
