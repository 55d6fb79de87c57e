/** Client keys: their owner and permissions. Only a hash of the secret is stored. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import * as z from 'zod/mini';
import type { Clock } from '../clock.ts';
import { KeyNotFound } from '../errors.ts';
import { isForAll, isForUsers, type Operation, scopeOf, templateScopes } from '../routes.ts';
import { shown } from '../validation.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const BODY_LENGTH = 32;

const CHECK_LENGTH = 6;

/** `gpue_`, 32 random characters, and their checksum, by which a mistyped key is refused without a look-up. */
const KEY_FORM = new RegExp(`^gpue_([0-9A-Za-z]{${BODY_LENGTH}})([0-9A-Za-z]{${CHECK_LENGTH}})$`);

export const keyRecordSchema = z.object({
  /** SHA-256 of the secret, in hex. */
  hash: z.string(),
  name: z.string(),
  owner: z.string(),
  /** Endpoint ids that it may call; `*` is every one. */
  endpoints: z.array(z.string()),
  /** Operations that it may call; `*` is every one. */
  operations: z.array(z.string()),
  /** Template scopes; keys that are older than scopes have none. */
  scopes: z._default(z.array(z.enum(templateScopes)), []),
  createdAt: z.number(),
  /** When the key expires, in milliseconds since the epoch. */
  expiresAt: z.optional(z.number()),
});

export type KeyRecord = z.infer<typeof keyRecordSchema>;

export interface Keys {
  create(record: KeyRecord): Promise<void>;
  /** Reads a key by the hash of its secret. The result may be up to `KEY_CACHE` ms old. */
  read(hash: string): Promise<KeyRecord | undefined>;
  /** Lists all keys, the oldest first. */
  list(): Promise<KeyRecord[]>;
  remove(hash: string): Promise<void>;
}

function inBase62(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = ALPHABET.charAt(rest % 62) + text;
  return text;
}

/** Makes a secret of `random` bytes; 48 of them give 190 random bits. */
export function newSecret(random: Uint8Array): string {
  // 248 is the largest multiple of 62 in a byte: larger bytes would favour the first characters.
  const body = [...random].filter((byte) => byte < 248).map((byte) => ALPHABET.charAt(byte % 62));
  if (body.length < BODY_LENGTH) throw new Error('Too few random bytes for a key.');
  const text = body.slice(0, BODY_LENGTH).join('');
  return `gpue_${text}${inBase62(crc32(text), CHECK_LENGTH)}`;
}

/** Returns whether the text has the form of a key. */
export function isWellFormed(secret: string): boolean {
  const [, body, check] = KEY_FORM.exec(secret) ?? [];
  return body !== undefined && inBase62(crc32(body), CHECK_LENGTH) === check;
}

/** Returns the id of a key, which is no secret: the beginning of the hash. */
export const idOf = ({ hash }: Pick<KeyRecord, 'hash'>): string => hash.slice(0, 12);

export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/**
 * Returns whether the key may call the operation, on the endpoint if there is one. Operations on templates need a
 * scope. No key may call an operation for users, not even a key for all operations.
 */
export function mayCall(key: KeyRecord, operation: Operation, endpoint?: string): boolean {
  if (isForUsers(operation)) return false;
  if (isForAll(operation)) return true;
  const covers = (granted: readonly string[], wanted: string) => granted.includes('*') || granted.includes(wanted);
  const scope = scopeOf(operation);
  const isGranted = scope === undefined ? covers(key.operations, operation) : key.scopes.includes(scope);
  return isGranted && (endpoint === undefined || covers(key.endpoints, endpoint));
}

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

/** An id, or its beginning: long enough that a typing error matches no key. */
const FORM = /^[0-9a-f]{6,64}$/;

/**
 * Removes a client key. Processes that have just read it accept it for up to `KEY_CACHE` more.
 * @param id of the key, or its beginning
 * @throws KeyNotFound
 */
export async function revokeKey({ keys }: { readonly keys: Keys }, id: string): Promise<KeyRecord> {
  if (!FORM.test(id)) throw new KeyNotFound(`A key's id has at least 6 characters of 0-9 and a-f, got ${shown(id)}.`);
  const [found, ...others] = (await keys.list()).filter(({ hash }) => hash.startsWith(id));
  if (!found) throw new KeyNotFound(`There is no key ${id}: \`GET /keys\` and \`npm run keys -- list\` show the ids.`);
  if (others.length > 0)
    throw new KeyNotFound(
      `Several keys have ids that begin with ${id}: ${[found, ...others].map(idOf).join(' and ')}. Send more characters.`,
    );
  await keys.remove(found.hash);
  return found;
}
