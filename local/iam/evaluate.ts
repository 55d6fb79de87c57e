/**
 * The decision of IAM within one account. An explicit deny takes precedence. Otherwise, one allowing statement of
 * the caller's identity or of the resource is enough. Without one, the call is denied.
 */
import type { Context } from './condition.ts';
import type { Principal, Statement } from './statement.ts';

/** One action on one resource, which at least one statement must allow. */
export interface Access {
  /** Name of the action, such as `dynamodb:GetItem`. */
  readonly action: string;
  /** ARN of the resource, or `*` for an action without a resource. */
  readonly resource: string;
  /** Condition keys of the action, in lower case. */
  readonly context?: Context;
}

/** The caller: a role by its ARN, or a service on its own behalf. */
export type Caller = { readonly roleArn: string } | { readonly service: string };

export interface Policies {
  /** Statements of the caller's policies. */
  readonly identity: readonly Statement[];
  /** Statements of the resource's policies. */
  readonly resource: readonly Statement[];
}

export type Decision =
  | { readonly allowed: true; readonly by: readonly Statement[] }
  | {
      readonly allowed: false;
      /** Kind of the policy that denies the access explicitly. */
      readonly deniedBy?: 'identity-based' | 'resource-based';
      /** Condition keys without which the access would be allowed. */
      readonly unmet: readonly string[];
    };

const contextOf = (caller: Caller, { context }: Access): Context => ({
  'aws:securetransport': ['true'],
  ...('roleArn' in caller && { 'aws:principalarn': [caller.roleArn] }),
  ...context,
});

function isAbout(principal: Principal, caller: Caller): boolean {
  if ('service' in principal) return 'service' in caller && caller.service === principal.service;
  return principal.aws === '*' || ('roleArn' in caller && caller.roleArn === principal.aws);
}

/** The statements of each policy that cover an action. There are few actions, and one is evaluated for every call. */
const byAction = new WeakMap<readonly Statement[], Map<string, readonly Statement[]>>();

/** Returns the statements that cover the action. */
function covering(statements: readonly Statement[], action: string): readonly Statement[] {
  const known = byAction.get(statements) ?? new Map<string, readonly Statement[]>();
  byAction.set(statements, known);
  const found =
    known.get(action) ??
    statements.filter(
      ({ actions, exceptActions }) => actions.some((pattern) => pattern.matches(action)) !== exceptActions,
    );
  known.set(action, found);
  return found;
}

/** Returns whether the statement covers the resource and the caller, regardless of its conditions. */
function concerns({ resources, principals }: Statement, caller: Caller, { resource }: Access): boolean {
  return (
    resources.some((pattern) => pattern.matches(resource)) &&
    (principals === undefined || principals.some((principal) => isAbout(principal, caller)))
  );
}

export function evaluate(caller: Caller, access: Access, { identity, resource }: Policies): Decision {
  const context = contextOf(caller, access);
  const unmetOf = ({ conditions }: Statement) => conditions.filter((condition) => !condition.holds(context));
  const about = (statements: readonly Statement[]) =>
    covering(statements, access.action).filter((statement) => concerns(statement, caller, access));
  const denies = (statement: Statement) => statement.effect === 'Deny' && unmetOf(statement).length === 0;

  const [ofCaller, ofResource] = [about(identity), about(resource)];
  if (ofCaller.some(denies)) return { allowed: false, deniedBy: 'identity-based', unmet: [] };
  if (ofResource.some(denies)) return { allowed: false, deniedBy: 'resource-based', unmet: [] };

  const allowing = [...ofCaller, ...ofResource].filter(({ effect }) => effect === 'Allow');
  const by = allowing.filter((statement) => unmetOf(statement).length === 0);
  if (by.length > 0) return { allowed: true, by };
  return { allowed: false, unmet: [...new Set(allowing.flatMap(unmetOf).map(({ key }) => key))] };
}
