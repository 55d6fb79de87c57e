/** Makes the policies with which CloudFormation creates, changes and deletes the stacks. */
import type { Handlers } from './handlers.ts';
import { type Scope, scopes } from './statements.ts';
import { type UnusedCalls, unused } from './unused.ts';

/** AWS's limit for a managed policy, in characters. White space between the values does not count. */
export const POLICY_LIMIT = 6_144;

export interface Statement {
  readonly Sid: string;
  readonly Effect: 'Allow';
  readonly Action: readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: Scope['condition'];
}

export interface Policy {
  readonly Version: '2012-10-17';
  readonly Statement: readonly Statement[];
}

/** Returns whether a pattern of IAM covers an action or an ARN. Actions are not case-sensitive. */
export function covers(pattern: string, value: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'i').test(value);
}

const isCovered = (patterns: readonly string[], action: string) => patterns.some((pattern) => covers(pattern, action));

/**
 * Returns the actions of a type's handlers that a deployment needs.
 * @param isUnused returns whether a row of `unused` applies to the type; by default, every row applies
 */
export const neededOf = (
  type: string,
  handlers: Handlers,
  isUnused: (calls: UnusedCalls) => boolean = () => true,
): string[] => {
  const omitted = (unused[type] ?? []).filter(isUnused).flatMap(({ actions }) => actions);
  return (handlers[type] ?? []).filter((action) => !isCovered(omitted, action));
};

/** @throws Error if no statement takes the action */
export function scopeOf(type: string, action: string): Scope {
  const found = scopes.find(({ takes, types }) => (types?.includes(type) ?? true) && isCovered(takes, action));
  if (found) return found;
  throw new Error(`No statement takes ${action}, which the handlers of ${type} declare.`);
}

/**
 * Returns the policies by the names of their files, without `.json`.
 * @throws Error if no statement takes an action
 */
export function policiesFor(handlers: Handlers): Readonly<Record<string, Policy>> {
  const allowed = new Map(scopes.map((scope) => [scope, new Set(scope.also)]));
  for (const type of Object.keys(handlers))
    for (const action of neededOf(type, handlers)) allowed.get(scopeOf(type, action))?.add(action);
  const statements = scopes.map((scope): [file: string, Statement] => {
    const { sid, file, on = '*', condition, reads = [] } = scope;
    const named = [...(allowed.get(scope) ?? [])].map((action) => reads.find((read) => covers(read, action)) ?? action);
    const Action = [...new Set(named)].toSorted((one, other) => one.localeCompare(other));
    return [file, { Sid: sid, Effect: 'Allow', Action, Resource: on, ...(condition && { Condition: condition }) }];
  });
  const files = Object.groupBy(statements, ([file]) => file);
  return Object.fromEntries(
    Object.entries(files).map(([file, its = []]) => [
      file,
      { Version: '2012-10-17', Statement: its.map(([, statement]) => statement) },
    ]),
  );
}
