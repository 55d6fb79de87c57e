/** The responses of an authorizer, in the format of API Gateway. */
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import type { Caller, Session } from '../../core/authorizer/caller.ts';
import type { OpenAiProblem } from '../../core/openai/error.ts';
import type { Operation } from '../../core/operations/routes.ts';
import type { RequestError } from '../../core/requests/errors.ts';

/** The parts of the response other than the caller. */
export interface Facts {
  /** What the decision permits. The endpoint is undefined if the operation has none. */
  readonly operation: Operation;
  readonly endpoint: string | undefined;
  /** The hidden key that the request counts against. */
  readonly usageIdentifierKey: string;
  /** Seconds after which a throttled request may be repeated. API Gateway sends them as `Retry-After`. */
  readonly retryAfter: number;
  /** The sentence that names the limit, for the error of a throttled request. */
  readonly limit: string;
  /** The session, for `GET /session`. */
  readonly session?: Session;
}

type Event = Pick<APIGatewayRequestAuthorizerEvent, 'methodArn'>;

const policy = ({ methodArn }: Event, Effect: 'Allow' | 'Deny') => ({
  Version: '2012-10-17',
  Statement: [{ Action: 'execute-api:Invoke', Effect, Resource: methodArn }],
});

const storesName: ReadonlySet<string | undefined> = new Set(['update-template', 'rollback', 'purge-queue', 'resume']);

export function allow(
  event: Event,
  { kind, id, name, owner, endpoints, scopes }: Pick<Caller, 'kind' | 'id' | 'name' | 'owner' | 'endpoints' | 'scopes'>,
  { operation, endpoint, usageIdentifierKey, retryAfter, limit, session }: Facts,
): APIGatewayAuthorizerResult {
  const context = {
    owner,
    endpoints: endpoints.join(','),
    scopes: scopes.join(','),
    operation,
    // The ingress gets the endpoint in a header, which must be ASCII.
    ...(endpoint !== undefined && { endpoint: encodeURIComponent(endpoint.toWellFormed()) }),
    retryAfter,
    limit,
    caller: kind,
    // The access log contains the key or the user.
    keyId: id,
    // These operations store the caller's name, which can have any characters.
    ...(storesName.has(operation) && { callerName: encodeURIComponent(name.toWellFormed()) }),
    ...(session && { session: JSON.stringify(session) }),
  };
  return { principalId: owner, usageIdentifierKey, context, policyDocument: policy(event, 'Allow') };
}

/**
 * Refuses the request.
 * @param error the member `error` of API Gateway's response, which inserts it as JSON
 */
export function deny(
  event: Event,
  { code }: Pick<RequestError, 'code'>,
  error: string | OpenAiProblem,
): APIGatewayAuthorizerResult {
  const context = { error: JSON.stringify(error), code };
  return { principalId: 'nobody', context, policyDocument: policy(event, 'Deny') };
}
