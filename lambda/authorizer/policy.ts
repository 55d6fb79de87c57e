/** The responses of an authorizer, as API Gateway reads them. */
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import type { Caller, Session } from '../../core/authorizer/caller.ts';
import type { RequestError } from '../../core/errors.ts';

/** The part of the response beside the caller. */
export interface Facts {
  /** The hidden key that the request counts against. */
  readonly usageIdentifierKey: string;
  /** Seconds after which a throttled request may be sent again: the gateway's response says so. */
  readonly retryAfter: number;
  /** For `GET /session`. */
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

/** Refuses the request; the gateway's response shows the message and code to the caller. */
export function deny(
  event: Event,
  { message, code }: Pick<RequestError, 'message' | 'code'>,
): APIGatewayAuthorizerResult {
  return { principalId: 'nobody', context: { error: message, code }, policyDocument: policy(event, 'Deny') };
}
