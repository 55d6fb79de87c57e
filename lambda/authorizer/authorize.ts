import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { environment } from '../../aws/environment.ts';
import { createWorld } from '../../aws/world.ts';
import { Unauthorized } from '../../core/errors.ts';
import { authorize } from '../../core/keys/authorize.ts';
import { operationOf } from '../../core/routes.ts';
import { retryTime, throttleKey } from '../../core/throttle.ts';
import { allow, deny } from './policy.ts';

const world = createWorld();
const scope = environment('THROTTLE_SCOPE');

/** API Gateway's REQUEST authorizer. What it throws is our failure and the gateway answers 429, to ask again: only a refusal is 401. */
export async function handler(event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> {
  const operation = operationOf(event.httpMethod, event.resource);
  if (!operation) throw new Error(`${event.httpMethod} ${event.resource} is a method of the API without a route.`);
  // Header names come in the case that the client chose.
  const header = Object.entries(event.headers ?? {}).find(([name]) => name.toLowerCase() === 'authorization');
  try {
    const authorization = header?.[1] ?? '';
    const request = { authorization, operation, endpoint: event.pathParameters?.endpoint };
    const { key, bucket } = await authorize(world, request);
    return allow(event, key, { usageIdentifierKey: throttleKey(scope, bucket), retryAfter: retryTime(operation) });
  } catch (error) {
    if (!(error instanceof Unauthorized)) throw error;
    return deny(event, error.message);
  }
}
