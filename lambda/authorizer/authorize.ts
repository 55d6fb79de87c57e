import { Logger } from '@aws-lambda-powertools/logger';
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { environment } from '../../aws/environment.ts';
import { createWorld } from '../../aws/world.ts';
import { Unauthorized } from '../../core/errors.ts';
import { authorize } from '../../core/keys/authorize.ts';
import { operationOf } from '../../core/routes.ts';
import { throttleKey } from '../../core/throttle.ts';

const world = createWorld();
const scope = environment('THROTTLE_SCOPE');
const logger = new Logger();

/** Header names come in the case that the client chose. */
function headerOf({ headers }: APIGatewayRequestAuthorizerEvent, name: string): string {
  const found = Object.entries(headers ?? {}).find(([header]) => header.toLowerCase() === name);
  return found?.[1] ?? '';
}

type Decision = Omit<APIGatewayAuthorizerResult, 'policyDocument'> & { readonly effect: 'Allow' | 'Deny' };

async function decide(event: APIGatewayRequestAuthorizerEvent): Promise<Decision> {
  const operation = operationOf(event.httpMethod, event.resource);
  if (!operation) throw new Error(`${event.httpMethod} ${event.resource} is a method of the API without a route.`);
  try {
    const { key, bucket } = await authorize(world, {
      authorization: headerOf(event, 'authorization'),
      operation,
      endpoint: event.pathParameters?.endpoint,
    });
    const context = { owner: key.owner, endpoints: key.endpoints.join(',') };
    return { effect: 'Allow', principalId: key.owner, usageIdentifierKey: throttleKey(scope, bucket), context };
  } catch (error) {
    if (!(error instanceof Unauthorized)) throw error;
    return { effect: 'Deny', principalId: 'nobody', context: { error: error.message } };
  }
}

/**
 * API Gateway's REQUEST authorizer. A refusal is a policy that denies, with the reason in its context, where the
 * gateway's 401 response finds it. A failure of ours throws, which the gateway answers with 500: it is not the caller's.
 */
export async function handler(event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> {
  const { effect, ...decision } = await decide(event).catch((error: unknown) => {
    logger.error('The authorizer failed.', { error });
    throw error;
  });
  return {
    ...decision,
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Action: 'execute-api:Invoke', Effect: effect, Resource: event.methodArn }],
    },
  };
}
