/** Client keys: their owner and permissions. Only a hash of the secret is stored. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import * as z from 'zod/mini';
import type { Clock } from '../clock.ts';
import { isForAll, isForUsers, type Operation, scopeOf, templateScopes } from '../operations/routes.ts';
import { KeyNotFound } from '../requests/errors.ts';
import { shown } from '../requests/validation.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const BODY_LENGTH = 32;

const CHECK_LENGTH = 6;

/**
 * Form of a secret: `gpue_`, 32 random characters, and a checksum that reveals a mistyped key without a look-up.
 */
const KEY_FORM = new RegExp(`^gpue_([0-9A-Za-z]{${BODY_LENGTH}})([0-9A-Za-z]{${CHECK_LENGTH}})$`);

export const keyRecordSchema = z.object({
  /** SHA-256 of the secret, in hex. */
  hash: z.string(),
  name: z.string(),
  owner: z.string(),
  /** Ids of the endpoints that the key may call; `*` means all endpoints. */
  endpoints: z.array(z.string()),
  /** Operations that the key may call; `*` means all operations. */
  operations: z.array(z.string()),
  /** Template scopes. */
  scopes: z.array(z.enum(templateScopes)),
  createdAt: z.number(),
  /** When the key expires, in milliseconds since the epoch. */
  expiresAt: z.optional(z.number()),
  /** Budget of a day in UTC, in US dollars. Absent if the key has none. */
  maxDollarsPerDay: z.optional(z.number()),
});

export type KeyRecord = z.infer<typeof keyRecordSchema>;

export interface Keys {
  /** Stores a key. If a key with its hash is stored, that key does not change: secrets are unique. */
  create(record: KeyRecord): Promise<void>;
  /** Reads a key by the hash of its secret. The result can be up to `KEY_CACHE` ms old. */
  read(hash: string): Promise<KeyRecord | undefined>;
  /** Lists all keys, oldest first. */
  list(): Promise<KeyRecord[]>;
  /** Sets or removes the budget of a stored key. */
  setBudget(hash: string, maxDollarsPerDay: number | undefined): Promise<void>;
  remove(hash: string): Promise<void>;
}

function inBase62(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = ALPHABET.charAt(rest % 62) + text;
  return text;
}

/** Creates a secret with 190 random bits. Some of the random bytes are skipped, so pass more than 32. */
export function newSecret(random: Uint8Array): string {
  // 248 is the largest multiple of 62 that fits in a byte. Larger bytes are skipped, because they would favour the
  // first characters.
  const body = [...random].filter((byte) => byte < 248).map((byte) => ALPHABET.charAt(byte % 62));
  if (body.length < BODY_LENGTH) throw new Error('Too few random bytes for a key.');
  const text = body.slice(0, BODY_LENGTH).join('');
  return `gpue_${text}${inBase62(crc32(text), CHECK_LENGTH)}`;
}

/** Returns whether the string has the form of a key. */
export function isWellFormed(secret: string): boolean {
  const [, body, check] = KEY_FORM.exec(secret) ?? [];
  return body !== undefined && inBase62(crc32(body), CHECK_LENGTH) === check;
}

/** Returns the id of a key: the beginning of its hash, which is not secret. */
export const idOf = ({ hash }: Pick<KeyRecord, 'hash'>): string => hash.slice(0, 12);

/** Form of the id of a key. */
export const KEY_ID = /^[0-9a-f]{12}$/;

export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/**
 * Returns whether the key may call the operation, on the endpoint if one is given. Operations on templates require a
 * scope. No key may call an operation for users, not even a key for all operations. Every key may call an operation for
 * all.
 */
export function mayCall(key: KeyRecord, operation: Operation, endpoint?: string): boolean {
  if (isForUsers(operation)) return false;
  if (isForAll(operation)) return true;
  const covers = (granted: readonly string[], wanted: string) => granted.includes('*') || granted.includes(wanted);
  const scope = scopeOf(operation);
  const isGranted = scope === undefined ? covers(key.operations, operation) : key.scopes.includes(scope);
  return isGranted && (endpoint === undefined || covers(key.endpoints, endpoint));
}

export type KeyGrant = Pick<
  KeyRecord,
  'name' | 'owner' | 'endpoints' | 'operations' | 'scopes' | 'expiresAt' | 'maxDollarsPerDay'
>;

/**
 * Creates a client key. The secret is returned once and never stored.
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

/** Form of the beginning of a hash, such as an id. It must be long enough that a typing error does not match a key. */
const FORM = /^[0-9a-f]{6,64}$/;

/**
 * Finds a key.
 * @param id the beginning of the key's hash, such as its id
 * @throws KeyNotFound
 */
async function findKey(keys: Pick<Keys, 'list'>, id: string): Promise<KeyRecord> {
  if (!FORM.test(id))
    throw new KeyNotFound(`The id of a key must be 6 to 64 characters of 0-9 and a-f, got ${shown(id)}.`);
  const [found, ...others] = (await keys.list()).filter(({ hash }) => hash.startsWith(id));
  if (!found)
    throw new KeyNotFound(`There is no key ${id}: \`GET /keys\` and \`npx gpu-endpoints keys ls\` show the ids.`);
  if (others.length > 0)
    throw new KeyNotFound(
      `Several key ids begin with ${id}: ${[found, ...others].map(idOf).join(' and ')}. Send more characters.`,
    );
  return found;
}

/**
 * Removes a client key. Caches accept it for up to `KEY_CACHE` + `DECISION_CACHE` ms longer.
 * @param id the beginning of the key's hash, such as its id
 * @throws KeyNotFound
 */
export async function revokeKey({ keys }: { readonly keys: Keys }, id: string): Promise<KeyRecord> {
  const found = await findKey(keys, id);
  await keys.remove(found.hash);
  return found;
}

/**
 * Changes the budget of a client key. The next sweep, at most a minute later, compares what the key has spent with it.
 * @param id the beginning of the key's hash, such as its id
 * @param maxDollarsPerDay undefined for no budget
 * @throws KeyNotFound
 */
export async function changeBudget(
  { keys }: { readonly keys: Pick<Keys, 'list' | 'setBudget'> },
  id: string,
  maxDollarsPerDay: number | undefined,
): Promise<KeyRecord> {
  const found = await findKey(keys, id);
  await keys.setBudget(found.hash, maxDollarsPerDay);
  return { ...found, maxDollarsPerDay };
}
