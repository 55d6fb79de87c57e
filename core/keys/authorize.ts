import { Unauthorized } from '../errors.ts';
import { isForUsers, type Operation, scopeOf } from '../routes.ts';
import { sharedBuckets } from '../throttle.ts';
import type { World } from '../world.ts';
import { hashOf, isWellFormed, type KeyRecord, mayCall } from './key.ts';

export interface AccessRequest {
  /** The `Authorization` header as it came. */
  readonly authorization: string;
  readonly operation: Operation;
  /** The endpoint of the path, where the operation has one. */
  readonly endpoint?: string;
}

export interface Access {
  readonly key: KeyRecord;
  /** The bucket whose rate limits the request counts against. */
  readonly bucket: string;
}

/** The key in the header: alone, or after `Bearer` and one space. */
const secretIn = (authorization: string) => authorization.replace(/^Bearer /i, '');

function refusalOf(operation: Operation): string {
  if (isForUsers(operation)) return `No API key may call ${operation}: sign in to the console to do so.`;
  const scope = scopeOf(operation);
  const lacking = scope === undefined ? `permit the operation ${operation}` : `have the scope ${scope}`;
  return `The API key does not ${lacking}.`;
}

async function bucketOf({ endpoints }: Pick<World, 'endpoints'>, endpoint: string | undefined): Promise<string> {
  if (endpoint === undefined) return sharedBuckets.management;
  return (await endpoints.isDeployed(endpoint)) ? endpoint : sharedBuckets.unknownEndpoint;
}

/**
 * Decides whether a request may go on.
 *
 * Input: header, operation, endpoint. Output: the key and the rate-limit bucket.
 *  1. Refuse what cannot be a key, without a look-up.
 *  2. Refuse a key that is unknown, has expired, or does not cover the operation or the endpoint.
 *  3. An endpoint that does not exist shares one bucket; its handler answers 404.
 * @throws Unauthorized with the reason, which never repeats the key
 */
export async function authorize(
  world: Pick<World, 'clock' | 'endpoints' | 'keys'>,
  { authorization, operation, endpoint }: AccessRequest,
): Promise<Access> {
  const secret = secretIn(authorization);
  if (!isWellFormed(secret))
    throw new Unauthorized('The Authorization header holds no well-formed API key: send `Bearer <API key>`.');

  const key = await world.keys.read(hashOf(secret));
  if (!key) throw new Unauthorized('The API key is not known here.');
  if (key.expiresAt !== undefined && world.clock.now() >= key.expiresAt)
    throw new Unauthorized(`The API key expired at ${new Date(key.expiresAt).toISOString()}.`);
  if (!mayCall(key, operation)) throw new Unauthorized(refusalOf(operation));
  if (!mayCall(key, operation, endpoint)) throw new Unauthorized('The API key does not permit this endpoint.');

  return { key, bucket: await bucketOf(world, endpoint) };
}
