import type { Clock } from '../clock.ts';
import { isEndpointId } from '../endpoints/endpoint-id.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { hashOf, isWellFormed, type Keys, mayCall } from '../keys/client-keys.ts';
import { SECOND } from '../limits.ts';
import { isForUsers, type Operation, scopeOf } from '../operations/routes.ts';
import { consoleBucket, sharedBuckets } from '../rates/throttle.ts';
import { NotPermitted, Unauthorized } from '../requests/errors.ts';
import { OWNER, ownerMust } from '../users/owner.ts';
import { rolesFor } from '../users/role.ts';
import { type Tokens, userOf } from '../users/user.ts';
import { type Caller, callerOfKey, callerOfUser } from './caller.ts';

export interface AccessRequest {
  /** The `Authorization` header. */
  readonly authorization: string;
  readonly operation: Operation;
  /** Endpoint id from the path, if the operation has one. */
  readonly endpoint?: string | undefined;
  /**
   * Milliseconds for which the caller caches the decision. A key or token that expires within this time is refused.
   * @default 0
   */
  readonly cachedFor?: number;
}

export interface Access {
  readonly caller: Caller;
  /** The rate-limit bucket that the request counts against. */
  readonly bucket: string;
}

type AuthorizePorts = {
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly keys: Keys;
  /**
   * Validates the access tokens of the console's users.
   * @default - the deployment has no users
   */
  readonly tokens?: Tokens | undefined;
};

/** Error message for a request without a key. API Gateway answers with it, without a call of the authorizer. */
export const MISSING_KEY = 'The Authorization header is missing: send `Authorization: Bearer <API key>`.';

/** Form of an access token: three parts separated by dots. A key has no dot. */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Returns the key or token from the header. The prefix `Bearer`, with any white space after it, is optional. */
const secretIn = (authorization: string) => authorization.replace(/^Bearer\s+/i, '');

/** Returns whether the header contains a user's access token, valid or not. */
export const isOfUser = (authorization: string): boolean => TOKEN.test(secretIn(authorization));

function refusalOf(operation: Operation): string {
  if (isForUsers(operation)) return `No API key may call ${operation}: sign in to the console to do so.`;
  const scope = scopeOf(operation);
  const lacking = scope === undefined ? `permit the operation ${operation}` : `have the scope ${scope}`;
  return `The API key does not ${lacking}.`;
}

function expiryOf(expiresAt: number, now: number, cachedFor: number): string {
  const time = new Date(expiresAt).toISOString();
  if (now >= expiresAt) return `The API key expired at ${time}.`;
  const seconds = cachedFor / SECOND;
  return `The API key expires at ${time}, in less than ${seconds} s. A key is refused in its last ${seconds} s, because the decision to accept it would be valid for as long.`;
}

/** Names the endpoint, unless it cannot exist: API Gateway inserts the message into JSON without escaping it. */
const endpointText = (endpoint: string | undefined): string =>
  endpoint !== undefined && isEndpointId(endpoint) ? `the endpoint ${endpoint}` : 'this endpoint';

async function bucketOf(
  { endpoints }: { readonly endpoints: Endpoints },
  endpoint: string | undefined,
): Promise<string> {
  if (endpoint === undefined) return sharedBuckets.management;
  return (await endpoints.isDeployed(endpoint)) ? endpoint : sharedBuckets.unknownEndpoint;
}

async function authorizeUser(
  { tokens }: AuthorizePorts,
  token: string,
  { operation, cachedFor = 0 }: AccessRequest,
): Promise<Access> {
  if (!tokens) throw new Unauthorized('This deployment does not support user sign-in: send `Bearer <API key>`.');
  const user = userOf(await tokens.verify(token, cachedFor));
  const allowed = rolesFor(operation);
  if (!allowed.includes(user.role))
    throw new NotPermitted(`The operation ${operation} needs the group ${allowed.join(' or ')}.`);
  return { caller: callerOfUser(user), bucket: consoleBucket };
}

/**
 * Authorizes a request.
 *
 * Input: header, operation, endpoint, the time for which the decision is cached. Output: the caller and the
 * rate-limit bucket.
 *  1. Verify an access token, and refuse a user whose role does not cover the operation.
 *  2. Refuse a malformed key without a look-up.
 *  3. Refuse a key that is unknown, has expired, or does not cover the operation or the endpoint.
 *  4. All unknown endpoints share one bucket; the handler answers 404. All users share another bucket.
 * @throws Unauthorized, TokenExpired or NotPermitted with the reason, which never repeats the key, the token or a
 * claim, except a group that sets an invalid owner
 */
export async function authorize(ports: AuthorizePorts, request: AccessRequest): Promise<Access> {
  const { authorization, operation, endpoint, cachedFor = 0 } = request;
  if (authorization === '') throw new Unauthorized(MISSING_KEY);
  const secret = secretIn(authorization);
  if (TOKEN.test(secret)) return authorizeUser(ports, secret, request);
  if (!isWellFormed(secret))
    throw new Unauthorized('The Authorization header does not contain a well-formed API key: send `Bearer <API key>`.');

  const key = await ports.keys.read(hashOf(secret));
  if (!key) throw new Unauthorized('The API key does not exist in this deployment.');
  if (!OWNER.test(key.owner))
    throw new Unauthorized(`The owner of the API key ${ownerMust}. Create another key, and revoke this one.`);
  const now = ports.clock.now();
  if (key.expiresAt !== undefined && now + cachedFor >= key.expiresAt)
    throw new Unauthorized(expiryOf(key.expiresAt, now, cachedFor));
  if (!mayCall(key, operation)) throw new Unauthorized(refusalOf(operation));
  if (!mayCall(key, operation, endpoint))
    throw new Unauthorized(`The API key does not permit calls to ${endpointText(endpoint)}.`);

  return { caller: callerOfKey(key), bucket: await bucketOf(ports, endpoint) };
}
