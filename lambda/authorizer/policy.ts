/** The answers of an authorizer as API Gateway reads them. */
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import type { Caller, Session } from '../../core/authorizer/caller.ts';
import type { RequestError } from '../../core/errors.ts';

/** What the answer says besides who calls. */
export interface Facts {
  /** The hidden key that the request counts against. */
  readonly usageIdentifierKey: string;
  /** Seconds after which a request that it refuses may be sent again: the gateway's response says so. */
  readonly retryAfter: number;
  /** For the operation that answers it. */
  readonly session?: Session;
}

type Event = Pick<APIGatewayRequestAuthorizerEvent, 'methodArn'>;

const policy = ({ methodArn }: Event, Effect: 'Allow' | 'Deny') => ({
  Version: '2012-10-17',
  Statement: [{ Action: 'execute-api:Invoke', Effect, Resource: methodArn }],
});

export function allow(
  event: Event,
  { kind, id, owner, endpoints, scopes }: Pick<Caller, 'kind' | 'id' | 'owner' | 'endpoints' | 'scopes'>,
  { usageIdentifierKey, retryAfter, session }: Facts,
): APIGatewayAuthorizerResult {
  const context = {
    owner,
    endpoints: endpoints.join(','),
    scopes: scopes.join(','),
    retryAfter,
    caller: kind,
    // The access log names the key or the user.
    keyId: id,
    ...(session && { session: JSON.stringify(session) }),
  };
  return { principalId: owner, usageIdentifierKey, context, policyDocument: policy(event, 'Allow') };
}

/** @param refusal whose sentence and code are shown to the caller by the gateway's response */
export function deny(
  event: Event,
  { message, code }: Pick<RequestError, 'message' | 'code'>,
): APIGatewayAuthorizerResult {
  return { principalId: 'nobody', context: { error: message, code }, policyDocument: policy(event, 'Deny') };
}
