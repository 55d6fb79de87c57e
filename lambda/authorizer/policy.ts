/** The answers of an authorizer as API Gateway reads them. */
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';

type Event = Pick<APIGatewayRequestAuthorizerEvent, 'methodArn'>;

const policy = ({ methodArn }: Event, Effect: 'Allow' | 'Deny') => ({
  Version: '2012-10-17',
  Statement: [{ Action: 'execute-api:Invoke', Effect, Resource: methodArn }],
});

/** @param usageIdentifierKey value of the hidden key that the request counts against */
export function allow(
  event: Event,
  { owner, endpoints }: { readonly owner: string; readonly endpoints: readonly string[] },
  usageIdentifierKey: string,
): APIGatewayAuthorizerResult {
  const context = { owner, endpoints: endpoints.join(',') };
  return { principalId: owner, usageIdentifierKey, context, policyDocument: policy(event, 'Allow') };
}

/** @param reason is shown to the caller by the gateway's response */
export function deny(event: Event, reason: string): APIGatewayAuthorizerResult {
  return { principalId: 'nobody', context: { error: reason }, policyDocument: policy(event, 'Deny') };
}
