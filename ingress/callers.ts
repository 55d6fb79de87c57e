/** Identifies the caller of a request, from API Gateway or from the distribution. */

import type { IncomingMessage } from 'node:http';
import { authorize, isOfUser } from '../core/authorizer/authorize.ts';
import type { Clock } from '../core/clock.ts';
import type { Endpoints } from '../core/endpoints/store.ts';
import { PayloadTooLarge, Unauthorized } from '../core/errors.ts';
import { gatewayHeaders } from '../core/http/ingress.ts';
import type { Keys } from '../core/keys/key.ts';
import { admitDirect, type DirectLimits } from '../core/rates/direct-limit.ts';
import type { Target } from './paths.ts';

export interface Caller {
  /** Owner of the client key. */
  readonly owner: string;
}

/** @throws RequestError to refuse the request before its body is read */
export type Identify = (request: Pick<IncomingMessage, 'headersDistinct'>, target: Target) => Promise<Caller>;

/**
 * Identifies the caller of a request from API Gateway. Its authorizer has checked the key, and its usage plan has
 * counted the request. API Gateway overwrites an owner header from the client, so there is exactly one header.
 */
export const identifyByGateway: Identify = async ({ headersDistinct }) => {
  const [owner, ...more] = headersDistinct[gatewayHeaders.owner] ?? [];
  if (owner === undefined || more.length > 0) throw new Unauthorized('The request did not come through API Gateway.');
  return { owner };
};

/**
 * Identifies the caller of a request from the distribution: checks the key and counts the request, as API Gateway
 * does.
 */
export function identifyByKey(ports: {
  readonly clock: Clock;
  readonly directLimits: DirectLimits;
  readonly endpoints: Endpoints;
  readonly keys: Keys;
}): Identify {
  return async ({ headersDistinct }, { operation, endpoint }) => {
    // If there are several `Authorization` headers, API Gateway passes on the last one.
    const authorization = headersDistinct.authorization?.at(-1) ?? '';
    // The ingress is created before the Cognito client of the console, so the ingress cannot verify tokens of users.
    if (isOfUser(authorization))
      throw new PayloadTooLarge(
        'A body of this size needs an API key instead of the access token of a user. Send it from a program with `Bearer <API key>`, or store the data elsewhere and send its address.',
      );
    const { caller, bucket } = await authorize(ports, { authorization, operation, endpoint });
    await admitDirect(ports, operation, endpoint, bucket);
    return { owner: caller.owner };
  };
}
