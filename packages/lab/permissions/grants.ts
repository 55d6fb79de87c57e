/**
 * Reads the file of used permissions that `npm start` writes, with one entry for each action of a role on a
 * resource.
 */
import { readFileSync } from 'node:fs';
import type { PermissionUsage, StatementUsage, Use } from '../../emulator/iam/usage.ts';
import { resourceNamed, roleNamed } from './names.ts';

/** One action on one resource. */
export interface Grant extends Use {
  /** Named as in `names.ts`. */
  readonly role: string;
  readonly action: string;
  readonly resource: string;
}

export const readUsage = (file: string): PermissionUsage => JSON.parse(readFileSync(file, 'utf8')) as PermissionUsage;

const grantsOf = (role: string, { actions }: StatementUsage): Grant[] =>
  Object.entries(actions).flatMap(([action, uses]) =>
    Object.entries(uses).map(([arn, use]) => ({ role: roleNamed(role), action, resource: resourceNamed(arn), ...use })),
  );

export const keyOf = ({ role, action, resource }: Pick<Grant, 'role' | 'action' | 'resource'>): string =>
  `${role} ${action} ${resource}`;

/** Merges the grants of several runs and endpoints. A grant is used if at least one of them used it. */
export function mergedGrants(...usages: PermissionUsage[]): Grant[] {
  const all = usages.flatMap((usage) =>
    Object.entries(usage).flatMap(([role, statements]) => statements.flatMap((each) => grantsOf(role, each))),
  );
  return [...Map.groupBy(all, keyOf).values()].flatMap(([first, ...others]) =>
    first ? [others.reduce(plus, first)] : [],
  );
}

const plus = (grant: Grant, { used, indispensable }: Use): Grant => ({
  ...grant,
  used: grant.used + used,
  indispensable: grant.indispensable || indispensable,
});
