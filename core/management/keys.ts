/** Manages client keys over HTTP, like `gpu-endpoints keys`. */

import type { Clock } from '../clock.ts';
import { parseJsonObject } from '../json/json.ts';
import { createKey, idOf, type KeyRecord, type Keys, revokeKey } from '../keys/client-keys.ts';
import { grantFrom } from '../keys/grant.ts';
import { payloadLimits } from '../limits.ts';
import { InvalidRequest, PayloadTooLarge } from '../requests/errors.ts';
import { isoTime } from '../requests/time.ts';

/** A key in responses, without its secret and its hash. Times are ISO 8601. */
export interface KeySummary extends Pick<KeyRecord, 'name' | 'owner' | 'endpoints' | 'operations' | 'scopes'> {
  /** The beginning of the key's hash. */
  readonly id: string;
  readonly createdAt: string;
  /** Absent if the key does not expire. */
  readonly expiresAt?: string;
  /** Absent if the key has no budget. */
  readonly maxDollarsPerDay?: number;
}

export interface NewKey extends KeySummary {
  /** The secret. Only this response contains it, because only its hash is stored. */
  readonly secret: string;
}

/** Returns a key as responses and commands show it. */
export function keySummary(key: KeyRecord): KeySummary {
  const { name, owner, endpoints, operations, scopes, createdAt, expiresAt, maxDollarsPerDay } = key;
  return {
    id: idOf(key),
    name,
    owner,
    endpoints,
    operations,
    scopes,
    createdAt: isoTime(createdAt),
    ...(expiresAt !== undefined && { expiresAt: isoTime(expiresAt) }),
    ...(maxDollarsPerDay !== undefined && { maxDollarsPerDay }),
  };
}

/** Completes the sentence "`maxDollarsPerDay` must be omitted …". */
export const withoutHistory = 'with `historyDays: 0`, because the service then sums no costs';

/** Lists all keys, including expired keys, oldest first. */
export async function listKeys({ keys }: { readonly keys: Keys }): Promise<{ keys: KeySummary[] }> {
  return { keys: (await keys.list()).map(keySummary) };
}

/**
 * Creates a key.
 *
 * Input: JSON text of the key's grant (`grantSchema`). Output: the key with its secret, which is shown once.
 * @param ports `hasHistory`: whether the deployment sums costs, which budgets need
 * @param random 64 random bytes
 * @throws InvalidRequest, PayloadTooLarge
 */
export async function makeKey(
  ports: { readonly clock: Clock; readonly keys: Keys; readonly hasHistory: boolean },
  body: Uint8Array,
  random: Uint8Array,
): Promise<NewKey> {
  if (body.length > payloadLimits.field)
    throw new PayloadTooLarge(
      `The body has ${body.length} bytes; at most ${payloadLimits.field} are allowed for a key.`,
    );
  const sent = parseJsonObject(body);
  const value = Object.fromEntries(sent.names.map((name) => [name, sent.value(name)]));
  const grant = grantFrom(value, ports.clock.now());
  if (grant.maxDollarsPerDay !== undefined && !ports.hasHistory)
    throw new InvalidRequest(`\`maxDollarsPerDay\` must be omitted ${withoutHistory}.`);
  const { secret, key } = await createKey(ports, grant, random);
  return { ...keySummary(key), secret };
}

/**
 * Revokes a key. Caches accept it for up to `KEY_CACHE` + `DECISION_CACHE` ms longer.
 *
 * Input: id of the key. Output: its id.
 * @throws KeyNotFound
 */
export async function removeKey(ports: { readonly keys: Keys }, id: string): Promise<{ id: string }> {
  return { id: idOf(await revokeKey(ports, id)) };
}
