import type { Clock } from '../clock.ts';
import { hashOf, type KeyRecord, type Keys, newSecret } from './key.ts';

export type KeyGrant = Pick<KeyRecord, 'name' | 'owner' | 'endpoints' | 'operations' | 'scopes' | 'expiresAt'>;

/**
 * Makes a client key. The secret is returned once and stored nowhere.
 * @param random 64 random bytes
 */
export async function createKey(
  { clock, keys }: { readonly clock: Clock; readonly keys: Keys },
  grant: KeyGrant,
  random: Uint8Array,
): Promise<{ secret: string; key: KeyRecord }> {
  const secret = newSecret(random);
  const key: KeyRecord = { ...grant, hash: hashOf(secret), createdAt: clock.now() };
  await keys.create(key);
  return { secret, key };
}
