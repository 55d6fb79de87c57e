/** Reads the caller of a request: its signature contains an access key, which is here the name of a role. */
import type { IncomingHttpHeaders } from 'node:http';
import { arn, OPERATOR } from '../account.ts';
import { roleArn } from '../iam/permissions.ts';
import { AwsFault } from './aws-fault.ts';

export interface Caller {
  /** Name of a role, or `OPERATOR`. */
  readonly role: string;
  readonly roleArn: string;
  /** Name of the role's session, such as a function's name or a task's id. */
  readonly session: string;
  readonly sessionArn: string;
  /** The service in the scope of the signature, such as `dynamodb`. */
  readonly service: string;
  /** Whether the caller has all permissions. */
  readonly isOperator: boolean;
}

const CREDENTIAL = /^AWS4-HMAC-SHA256 Credential=(?<key>[^/\s]+)\/\d{8}\/[^/\s]+\/(?<service>[^/\s]+)\/aws4_request,/;

/** Returns the caller for a service that acts on behalf of a role. */
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
 * Reads the caller that a request claims to have. `signature.ts` verifies the claim.
 * @throws AwsFault if the request is not signed, or its key is unknown
 */
export function readCaller(headers: IncomingHttpHeaders, roleNamed: (name: string) => string | undefined): Caller {
  const { key: role = '', service = '' } = CREDENTIAL.exec(headers.authorization ?? '')?.groups ?? {};
  if (role === '')
    throw new AwsFault(403, 'MissingAuthenticationToken', 'The request is not signed with AWS Signature Version 4.');
  const isOperator = role === OPERATOR;
  const itsArn = isOperator ? roleArn(role) : roleNamed(role);
  if (itsArn === undefined)
    throw new AwsFault(403, 'InvalidClientTokenId', `The access key ${role} is not the name of a role of the stacks.`);
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
