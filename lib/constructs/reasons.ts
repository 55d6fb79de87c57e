/**
 * Why roles are granted their permissions. Each grant has a reason. `docs/reference/permissions.md` shows all reasons, and a
 * test fails for a permission without one. CloudFormation templates do not contain the reasons.
 */
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import { roleOf } from './grantee.ts';

export interface Explanation {
  readonly reason: string;
  /** Why the permission is granted although nothing uses it on a laptop. */
  readonly unused?: string;
  /** When the permission is used, if a run on a laptop might not use it: a phrase such as `only if the call fails.` */
  readonly sometimes?: string;
}

/** Why a run on a laptop might not use a permission, or never does. */
export type Exception = Omit<Explanation, 'reason'>;

export type Reason = string | Explanation;

/** One reason for all actions of a grant, or a reason for each action. */
export type ReasonOf<Action extends string> = Reason | Readonly<Record<Action, Reason>>;

export interface ExplainedAction extends Explanation {
  /** Name of the action in IAM, such as `dynamodb:GetItem`. */
  readonly action: string;
  /** Name of the resource in `docs/reference/permissions.md`, such as `jobs table`. */
  readonly resource: string;
}

const explained = new WeakMap<IConstruct, ExplainedAction[]>();

function reasonFor<Action extends string>(action: Action, reason: ReasonOf<Action>): Explanation {
  if (typeof reason === 'string') return { reason };
  if ('reason' in reason) return reason as Explanation;
  const its = reason[action];
  return typeof its === 'string' ? { reason: its } : its;
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
  reason: ReasonOf<Action>,
): void {
  const role = roleOf(grantee);
  const added = [resources]
    .flat()
    .flatMap((resource) =>
      actions.map((action) => ({ action: `${service}:${action}`, resource, ...reasonFor(action, reason) })),
    );
  explained.set(role, [...(explained.get(role) ?? []), ...added]);
}

/** Returns the reasons of all grants of a role, in the order of the grants. The list is empty for other constructs. */
export const explainedOf = (construct: IConstruct): readonly ExplainedAction[] => explained.get(construct) ?? [];
