/**
 * Why roles are granted their permissions. Each grant has a reason. `docs/reference/permissions.md` shows all reasons, and a
 * test fails for a permission without one. CloudFormation templates do not contain the reasons.
 */
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import { roleOf } from './client.ts';

export interface Reason {
  readonly why: string;
  /** Why the permission is granted although nothing uses it on a laptop. */
  readonly unused?: string;
  /** When the permission is used, if another function usually makes the same call sooner. */
  readonly seldom?: string;
}

/** Why a permission is seldom or never used on a laptop. */
export type Exception = Omit<Reason, 'why'>;

export type Why = string | Reason;

/** One reason for all actions of a grant, or a reason for each action. */
export type WhyOf<Action extends string> = Why | Readonly<Record<Action, Why>>;

export interface ExplainedAction extends Reason {
  /** Name of the action in IAM, such as `dynamodb:GetItem`. */
  readonly action: string;
  /** Name of the resource in `docs/reference/permissions.md`, such as `jobs table`. */
  readonly resource: string;
}

const explained = new WeakMap<IConstruct, ExplainedAction[]>();

function reasonFor<Action extends string>(action: Action, why: WhyOf<Action>): Reason {
  if (typeof why === 'string') return { why };
  if ('why' in why) return why as Reason;
  const its = why[action];
  return typeof its === 'string' ? { why: its } : its;
}

/**
 * Stores the reason of a grant.
 * @param service prefix of the actions, such as `dynamodb`
 * @param resources their names in `docs/reference/permissions.md`
 */
export function explain<Action extends string>(
  grantee: IGrantable,
  service: string,
  actions: readonly Action[],
  resources: string | readonly string[],
  why: WhyOf<Action>,
): void {
  const role = roleOf(grantee);
  const added = [resources]
    .flat()
    .flatMap((resource) =>
      actions.map((action) => ({ action: `${service}:${action}`, resource, ...reasonFor(action, why) })),
    );
  explained.set(role, [...(explained.get(role) ?? []), ...added]);
}

/** Returns the reasons of all grants of a role, in the order of the grants. The list is empty for other constructs. */
export const explainedOf = (construct: IConstruct): readonly ExplainedAction[] => explained.get(construct) ?? [];
