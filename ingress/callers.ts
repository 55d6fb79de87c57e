/** Identifies the caller of a request, from API Gateway or from the distribution. */

import type { IncomingMessage } from 'node:http';
import { authorize, isOfUser } from '../core/authorizer/authorize.ts';
import type { Clock } from '../core/clock.ts';
import type { Endpoints } from '../core/endpoints/store.ts';
import { gatewayHeaders } from '../core/http/ingress.ts';
import { KEY_ID, type Keys } from '../core/keys/client-keys.ts';
import { admitDirect, type DirectLimits } from '../core/rates/direct-limit.ts';
import { PayloadTooLarge, Unauthorized } from '../core/requests/errors.ts';
import type { Target } from './paths.ts';

export interface Caller {
  /** Owner of the client key, or the user who has signed in. */
  readonly owner: string;
  /** Id of the API key; absent for a user. */
  readonly keyId?: string | undefined;
}

/**
 * Identifies the caller of a request.
 * @throws RequestError to refuse the request before its body is read
 */
export type Identify = (request: Pick<IncomingMessage, 'headersDistinct'>, target: Target) => Promise<Caller>;

/**
 * The ingress and the authorizer have read different operations or endpoints from one request. This is a defect of the
 * service, so the ingress also logs it.
 */
export class NotAsAuthorized extends Unauthorized {
  override readonly name = 'NotAsAuthorized';
  constructor(authorized: string, { operation, endpoint }: Target) {
    super(
      `The request is ${operation} of endpoint ${JSON.stringify(endpoint)}, but the authorizer has permitted ${authorized}.`,
    );
  }
}

/**
 * Identifies the caller of a request from API Gateway. Its authorizer has checked the key, and its usage plan has
 * counted the request. API Gateway overwrites these headers from the client, so there is exactly one of each.
 * @throws NotAsAuthorized unless the authorizer has permitted the operation on the endpoint
 */
export const identifyByGateway: Identify = async ({ headersDistinct }, target) => {
  const onlyValueOf = (name: string): string => {
    const [value, ...more] = headersDistinct[name] ?? [];
    if (value === undefined || more.length > 0) throw new Unauthorized('The request did not come through API Gateway.');
    return value;
  };
  const owner = onlyValueOf(gatewayHeaders.owner);
  const [operation, endpoint] = [onlyValueOf(gatewayHeaders.operation), onlyValueOf(gatewayHeaders.endpoint)];
  if (operation !== target.operation || endpoint !== encodeURIComponent(target.endpoint))
    throw new NotAsAuthorized(`${operation} of endpoint ${JSON.stringify(endpoint)}`, target);
  // The id of a user has another form. An API of an earlier version does not send the header, so the client could.
  const keyId = headersDistinct[gatewayHeaders.keyId]?.find((value) => KEY_ID.test(value));
  return { owner, keyId };
};

/** The distribution sends bodies of unknown length to the ingress, like large ones. */
const withoutLength =
  'The request has no `Content-Length`, so its body can have any size, and needs an API key instead of the access token of a user. Send `Content-Length`, or send the body from a program with `Bearer <API key>`.';
const large =
  'A body of this size needs an API key instead of the access token of a user. Send it from a program with `Bearer <API key>`, or store the data elsewhere and send its address.';

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
    if (isOfUser(authorization)) throw new PayloadTooLarge(headersDistinct['content-length'] ? large : withoutLength);
    const { caller, bucket } = await authorize(ports, { authorization, operation, endpoint });
    await admitDirect(ports, operation, bucket);
    return { owner: caller.owner, keyId: caller.id };
  };
}
