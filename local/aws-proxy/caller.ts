/** Who calls: the signature of a request names the access key, which here is the name of a role. */
import type { IncomingHttpHeaders } from 'node:http';
import { arn, OPERATOR } from '../account.ts';
import { roleArn } from '../iam/permissions.ts';
import { AwsFault } from './aws-fault.ts';

export interface Caller {
  /** Name of a role, or the operator. */
  readonly role: string;
  readonly roleArn: string;
  /** What its role's session is called: a function's name, a task's id. */
  readonly session: string;
  readonly sessionArn: string;
  /** As the signature is scoped, such as `dynamodb`. */
  readonly service: string;
  /** May do everything. */
  readonly isOperator: boolean;
}

const CREDENTIAL = /^AWS4-HMAC-SHA256 Credential=(?<key>[^/\s]+)\/\d{8}\/[^/\s]+\/(?<service>[^/\s]+)\/aws4_request,/;

/** A service that acts on behalf of a role. */
export function callerOf(ofRole: string, { action }: { readonly action: string }): Caller {
  const role = ofRole.split('/').at(-1) ?? '';
  const [service = ''] = action.split(':');
  return {
    role,
    roleArn: ofRole,
    session: service,
    sessionArn: arn('sts', `assumed-role/${role}/${service}`, ''),
    service,
    isOperator: false,
  };
}

/**
 * The signature itself is not verified: whoever can reach the port can read the memory that holds the secret.
 * @throws AwsFault if the request is not signed, or with a key of nobody
 */
export function readCaller(headers: IncomingHttpHeaders, roleNamed: (name: string) => string | undefined): Caller {
  const { key: role = '', service = '' } = CREDENTIAL.exec(headers.authorization ?? '')?.groups ?? {};
  if (role === '') throw new AwsFault(403, 'MissingAuthenticationToken', 'The request is not signed with version 4.');
  const isOperator = role === OPERATOR;
  const itsArn = isOperator ? roleArn(role) : roleNamed(role);
  if (itsArn === undefined)
    throw new AwsFault(403, 'InvalidClientTokenId', `The access key ${role} is the name of no role of the stacks.`);
  const session = String(headers['x-amz-security-token'] ?? 'local');
  return {
    role,
    roleArn: itsArn,
    session,
    sessionArn: arn('sts', `assumed-role/${role}/${session}`, ''),
    service,
    isOperator,
  };
}
