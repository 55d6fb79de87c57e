/** Maps operations to the groups that may call them, for the sentence beside a disabled control. */

import { minGroups } from '../api/operations.ts';

const groups: Readonly<Record<string, 'viewer' | 'operator' | 'admin' | undefined>> = minGroups;

/** Returns the group with the fewest rights that may call the operation. */
export const groupFor = (operation: string): 'viewer' | 'operator' | 'admin' => groups[operation] ?? 'viewer';

/** @param groups of the user */
export function refusalOf(operation: string, groups: readonly string[]): string {
  const yours = groups.length === 0 ? 'You are not in any group.' : `You are in: ${groups.join(', ')}.`;
  return `Only users in the group "${groupFor(operation)}" can do this. ${yours}`;
}
