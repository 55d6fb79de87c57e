import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { createAuthorizerPorts } from '../../aws/authorizer/ports.ts';
import { environment } from '../../aws/environment.ts';
import { authorize } from '../../core/authorizer/authorize.ts';
import { sessionOf } from '../../core/authorizer/caller.ts';
import { DECISION_CACHE } from '../../core/limits.ts';
import { problemOfRefusal } from '../../core/openai/error.ts';
import { operationOf } from '../../core/operations/routes.ts';
import { limitSentence, retryTime, throttleKey } from '../../core/rates/throttle.ts';
import { RequestError } from '../../core/requests/errors.ts';
import { allow, deny } from './policy.ts';

const ports = createAuthorizerPorts();
const scope = environment('THROTTLE_SCOPE');

/**
 * API Gateway's REQUEST authorizer. If it throws, the gateway answers 429, so that the client retries. A refused
 * request gets a 401. The gateway caches each response for `DECISION_CACHE`.
 */
export async function handler(event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> {
  const operation = operationOf(event.httpMethod, event.resource);
  if (!operation)
    throw new Error(
      `API Gateway has the method ${event.httpMethod} ${event.resource}, which core/operations/routes.ts does not contain.`,
    );
  // Clients choose the case of header names.
  const header = Object.entries(event.headers ?? {}).find(([name]) => name.toLowerCase() === 'authorization');
  try {
    const authorization = header?.[1] ?? '';
    const endpoint = event.pathParameters?.endpoint;
    const request = { authorization, operation, endpoint, cachedFor: DECISION_CACHE };
    const { caller, bucket } = await authorize(ports, request);
    const limits = {
      usageIdentifierKey: throttleKey(scope, bucket),
      retryAfter: retryTime(operation, caller.kind),
      limit: limitSentence(bucket, operation, caller.kind),
    };
    // Only `GET /session` returns the caller.
    const session = operation === 'session' ? sessionOf(caller) : undefined;
    return allow(event, caller, { operation, endpoint, ...limits, ...(session && { session }) });
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return deny(event, error, operation === 'openai' ? problemOfRefusal(error) : error.message);
  }
}
