/**
 * The decision of IAM within one account. An explicit deny takes precedence. Otherwise, one allowing statement of
 * the caller's identity or of the resource is enough. Without one, the call is denied. A permissions boundary limits
 * the statements of the identity, and those statements of the resource that name the role. As in AWS, it does not
 * limit statements of the resource that are for all principals.
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
  readonly context?: Context | undefined;
}

/** The caller: a role by its ARN, or a service on its own behalf. */
export type Caller = { readonly roleArn: string } | { readonly service: string };

export interface Policies {
  /** Statements of the caller's policies. */
  readonly identity: readonly Statement[];
  /**
   * Statements of the caller's permissions boundary.
   * @default - no boundary
   */
  readonly boundary?: readonly Statement[] | undefined;
  /** Statements of the resource's policies. */
  readonly resource: readonly Statement[];
}

export type Decision =
  | { readonly allowed: true; readonly by: readonly Statement[] }
  | {
      readonly allowed: false;
      /** Kind of the policy that denies the access explicitly. */
      readonly deniedBy?: 'identity-based' | 'resource-based' | 'permissions boundary';
      /** Set if the other policies allow the access, and no statement of the boundary does. */
      readonly isBeyondBoundary?: true;
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

/** Returns whether the statement allows access regardless of the caller's permissions boundary. */
const passesBoundary = ({ principals = [] }: Statement) =>
  principals.some((principal) => 'aws' in principal && principal.aws === '*');

export function evaluate(caller: Caller, access: Access, { identity, boundary, resource }: Policies): Decision {
  const context = contextOf(caller, access);
  const unmetOf = ({ conditions }: Statement) => conditions.filter((condition) => !condition.holds(context));
  const about = (statements: readonly Statement[]) =>
    covering(statements, access.action).filter((statement) => concerns(statement, caller, access));
  const isMet = (statement: Statement) => unmetOf(statement).length === 0;
  const denies = (statement: Statement) => statement.effect === 'Deny' && isMet(statement);
  const allowing = (statements: readonly Statement[]) => statements.filter(({ effect }) => effect === 'Allow');
  const unmetIn = (statements: readonly Statement[]) => [...new Set(statements.flatMap(unmetOf).map(({ key }) => key))];

  const [ofCaller, ofResource, ofBoundary] = [about(identity), about(resource), boundary && about(boundary)];
  if (ofCaller.some(denies)) return { allowed: false, deniedBy: 'identity-based', unmet: [] };
  if (ofResource.some(denies)) return { allowed: false, deniedBy: 'resource-based', unmet: [] };
  if (ofBoundary?.some(denies)) return { allowed: false, deniedBy: 'permissions boundary', unmet: [] };

  const granting = allowing([...ofCaller, ...ofResource]);
  const granted = granting.filter(isMet);
  if (granted.length === 0) return { allowed: false, unmet: unmetIn(granting) };
  const limits = ofBoundary && allowing(ofBoundary);
  const by = limits === undefined || limits.some(isMet) ? granted : granted.filter(passesBoundary);
  if (by.length > 0) return { allowed: true, by };
  return { allowed: false, isBeyondBoundary: true, unmet: unmetIn(limits ?? []) };
}
