/** Maps operations to the groups that may call them, for the sentence beside a disabled control. */

const admins: ReadonlySet<string> = new Set([
  'create-template',
  'update-template',
  'remove-template',
  'purge-queue',
  'list-keys',
  'create-key',
  'revoke-key',
]);

const operators: ReadonlySet<string> = new Set(['run', 'runsync', 'openai', 'cancel', 'retry', 'resend', 'resume']);

/** Returns the group with the fewest rights that may call the operation. */
export function groupFor(operation: string): 'viewer' | 'operator' | 'admin' {
  if (admins.has(operation)) return 'admin';
  return operators.has(operation) ? 'operator' : 'viewer';
}

/** @param groups of the user */
export function refusalOf(operation: string, groups: readonly string[]): string {
  const yours = groups.length === 0 ? 'You are not in any group.' : `You are in: ${groups.join(', ')}.`;
  return `Only users in the group "${groupFor(operation)}" can do this. ${yours}`;
}
