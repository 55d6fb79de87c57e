/** Which group of users may call which operation, for the sentence beside a control that is disabled. */

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

/** The group with the least rights that may call the operation. */
export function groupFor(operation: string): 'viewer' | 'operator' | 'admin' {
  if (admins.has(operation)) return 'admin';
  return operators.has(operation) ? 'operator' : 'viewer';
}

/** @param groups of the user */
export function refusalOf(operation: string, groups: readonly string[]): string {
  const yours = groups.length === 0 ? 'You are in no group.' : `You are in: ${groups.join(', ')}.`;
  return `Only users of the group "${groupFor(operation)}" may do this. ${yours}`;
}
