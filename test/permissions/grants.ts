/** The use of permissions as `npm start` writes it, one entry for each thing that a role may do. */
import { readFileSync } from 'node:fs';
import type { PermissionUsage, StatementUsage, Use } from '../../local/iam/usage.ts';
import { resourceNamed, roleNamed } from './names.ts';

/** One action on one resource. */
export interface Grant extends Use {
  /** As people call them (`names.ts`). */
  readonly role: string;
  readonly action: string;
  readonly resource: string;
}

export const readUsage = (file: string): PermissionUsage => JSON.parse(readFileSync(file, 'utf8')) as PermissionUsage;

const grantsOf = (role: string, { actions }: StatementUsage): Grant[] =>
  Object.entries(actions).flatMap(([action, uses]) =>
    Object.entries(uses).map(([arn, use]) => ({ role: roleNamed(role), action, resource: resourceNamed(arn), ...use })),
  );

export const keyOf = ({ role, action, resource }: Omit<Grant, keyof Use>): string => `${role} ${action} ${resource}`;

/** Of several runs, and of several endpoints, what one of them has used is used. */
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
