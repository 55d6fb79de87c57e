/** Manages client keys over HTTP, as `npm run keys` does. */

import type { Clock } from '../clock.ts';
import { PayloadTooLarge } from '../errors.ts';
import { parseJsonObject } from '../json.ts';
import { grantFrom } from '../keys/grant.ts';
import { createKey, idOf, type KeyRecord, type Keys, revokeKey } from '../keys/key.ts';
import { payloadLimits } from '../limits.ts';

/** A key in responses, without its secret and hash. Times are ISO 8601. */
export interface KeySummary extends Pick<KeyRecord, 'name' | 'owner' | 'endpoints' | 'operations' | 'scopes'> {
  /** The beginning of the hash. */
  readonly id: string;
  readonly createdAt: string;
  /** Absent if it does not expire. */
  readonly expiresAt?: string;
}

export interface NewKey extends KeySummary {
  /** Only this response has it: a hash of it is stored. */
  readonly secret: string;
}

const iso = (time: number) => new Date(time).toISOString();

function summaryOf(key: KeyRecord): KeySummary {
  const { name, owner, endpoints, operations, scopes, createdAt, expiresAt } = key;
  return {
    id: idOf(key),
    name,
    owner,
    endpoints,
    operations,
    scopes,
    createdAt: iso(createdAt),
    ...(expiresAt !== undefined && { expiresAt: iso(expiresAt) }),
  };
}

/** Lists all keys, the oldest first, also those that have expired. */
export async function listKeys({ keys }: { readonly keys: Keys }): Promise<{ keys: KeySummary[] }> {
  return { keys: (await keys.list()).map(summaryOf) };
}

/**
 * Makes a key.
 *
 * Input: JSON text of the key's grant (`grantSchema`). Output: the key with its secret, which is shown once.
 * @param random 64 random bytes
 * @throws InvalidRequest, PayloadTooLarge
 */
export async function makeKey(
  ports: { readonly clock: Clock; readonly keys: Keys },
  body: Uint8Array,
  random: Uint8Array,
): Promise<NewKey> {
  if (body.length > payloadLimits.field)
    throw new PayloadTooLarge(
      `The body has ${body.length} bytes; the body for a key may have at most ${payloadLimits.field}.`,
    );
  const sent = parseJsonObject(body);
  const value = Object.fromEntries(sent.names.map((name) => [name, sent.value(name)]));
  const { secret, key } = await createKey(ports, grantFrom(value, ports.clock.now()), random);
  return { ...summaryOf(key), secret };
}

/**
 * Revokes a key. Functions that have just read it accept it for up to `KEY_CACHE` more.
 *
 * Input: id of the key. Output: its id.
 * @throws KeyNotFound
 */
export async function removeKey(ports: { readonly keys: Keys }, id: string): Promise<{ id: string }> {
  return { id: idOf(await revokeKey(ports, id)) };
}
