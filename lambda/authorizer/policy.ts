/** The answers of an authorizer as API Gateway reads them. */
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { idOf, type KeyRecord } from '../../core/keys/key.ts';

/** A hidden key that a request counts against. */
export interface Bucket {
  readonly usageIdentifierKey: string;
  /** Seconds after which a request that it refuses may be sent again: the gateway's response says so. */
  readonly retryAfter: number;
}

type Event = Pick<APIGatewayRequestAuthorizerEvent, 'methodArn'>;

const policy = ({ methodArn }: Event, Effect: 'Allow' | 'Deny') => ({
  Version: '2012-10-17',
  Statement: [{ Action: 'execute-api:Invoke', Effect, Resource: methodArn }],
});

export function allow(
  event: Event,
  { hash, owner, endpoints, scopes }: Pick<KeyRecord, 'hash' | 'owner' | 'endpoints' | 'scopes'>,
  { usageIdentifierKey, retryAfter }: Bucket,
): APIGatewayAuthorizerResult {
  // The access log names the key.
  const keyId = idOf({ hash });
  const context = { owner, endpoints: endpoints.join(','), scopes: scopes.join(','), retryAfter, keyId };
  return { principalId: owner, usageIdentifierKey, context, policyDocument: policy(event, 'Allow') };
}

/** @param reason is shown to the caller by the gateway's response */
export function deny(event: Event, reason: string): APIGatewayAuthorizerResult {
  return { principalId: 'nobody', context: { error: reason }, policyDocument: policy(event, 'Deny') };
}
