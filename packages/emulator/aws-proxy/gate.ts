/** Authorizes calls by the policies of the caller's role and of the resource, with the error messages of AWS. */
import type { Access, Decision } from '../iam/evaluate.ts';
import type { Permissions } from '../iam/permissions.ts';
import type { UsageRecord } from '../iam/usage.ts';
import { AwsFault } from './aws-fault.ts';
import type { Caller } from './caller.ts';

/**
 * Authorizes a call.
 * @throws AwsFault if an access is denied
 */
export type Gate = (caller: Caller, accesses: readonly Access[]) => void;

type Refusal = Extract<Decision, { allowed: false }>;

const NAMES: Readonly<Record<string, [status: number, name: string]>> = {
  apigateway: [403, 'AccessDeniedException'],
  s3: [403, 'AccessDenied'],
  sqs: [400, 'AccessDenied'],
};
const OTHER_NAME = [400, 'AccessDeniedException'] as const;

const DENIED_BY: Readonly<Record<NonNullable<Refusal['deniedBy']>, string>> = {
  'identity-based': 'an identity-based policy',
  'resource-based': 'a resource-based policy',
  'permissions boundary': 'a permissions boundary',
};

/** Returns the message of AWS. SQS writes actions in lower case, and S3 quotes resources. */
function messageOf({ sessionArn, service }: Caller, access: Access, { deniedBy, isBeyondBoundary }: Refusal): string {
  const action = service === 'sqs' ? access.action.toLowerCase() : access.action;
  const resource = service === 's3' ? `"${access.resource}"` : access.resource;
  const missing = isBeyondBoundary ? 'permissions boundary' : 'identity-based policy';
  const reason = deniedBy
    ? `with an explicit deny in ${DENIED_BY[deniedBy]}`
    : `because no ${missing} allows the ${action} action`;
  return `User: ${sessionArn} is not authorized to perform: ${action} on resource: ${resource} ${reason}`;
}

/** Condition keys are not case-sensitive. */
const inLowerCase = (context: Access['context'] = {}): Access['context'] =>
  Object.fromEntries(Object.entries(context).map(([key, values]) => [key.toLowerCase(), values]));

/** Describes the values of the conditions that failed. */
function unmetValues({ context = {} }: Access, { unmet }: Refusal): string {
  const values = unmet.map((key) => `${key}: ${context[key.toLowerCase()]?.join(', ') || 'none'}`);
  return values.length > 0 ? ` (${values.join('; ')})` : '';
}

/**
 * Creates the gate.
 * @param notify prints a denial for the user, once for each role and action
 */
export function createGate(permissions: Permissions, usage: UsageRecord, notify: (text: string) => void): Gate {
  const notified = new Set<string>();

  function refuse(caller: Caller, access: Access, refusal: Refusal): never {
    const { role, service } = caller;
    const { action, resource } = access;
    const values = unmetValues(access, refusal);
    const limit = refusal.isBeyondBoundary ? ', because its permissions boundary does not allow it' : '';
    if (!notified.has(`${role} ${action}`))
      notify(`AccessDenied: role ${role} may not ${action} on ${resource}${values}${limit}`);
    notified.add(`${role} ${action}`);
    const [status, name] = NAMES[service] ?? OTHER_NAME;
    throw new AwsFault(status, name, messageOf(caller, access, refusal));
  }

  return (caller, accesses) => {
    if (caller.isOperator) return;
    const allowed = accesses.map((given) => {
      const access = { ...given, context: inLowerCase(given.context) };
      const decision = permissions.decide(caller, access);
      return decision.allowed ? { access, by: decision.by } : refuse(caller, access, decision);
    });
    for (const { access, by } of allowed) usage.count(caller.role, access, by);
  };
}
