/** A client key: who it belongs to and what it may do. Only a hash of the secret is ever stored. */
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

/** `gpue_`, 32 random characters, and a checksum of them: a mistyped key is refused without a look-up. */
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
  /** Template scopes that it has; keys of before there were any have none. */
  scopes: z._default(z.array(z.enum(templateScopes)), []),
  createdAt: z.number(),
  /** Milliseconds since the epoch; from then on the key is refused. */
  expiresAt: z.optional(z.number()),
});

export type KeyRecord = z.infer<typeof keyRecordSchema>;

export interface Keys {
  create(record: KeyRecord): Promise<void>;
  /** By the hash of the secret; the answer may be up to `KEY_CACHE` ms old. */
  read(hash: string): Promise<KeyRecord | undefined>;
  /** Every key, the oldest first. */
  list(): Promise<KeyRecord[]>;
  remove(hash: string): Promise<void>;
}

function inBase62(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = ALPHABET.charAt(rest % 62) + text;
  return text;
}

/** A new secret from `random` bytes; 48 of them give 190 random bits. */
export function newSecret(random: Uint8Array): string {
  // 248 is the largest multiple of 62 in a byte: larger bytes would favour the first characters.
  const body = [...random].filter((byte) => byte < 248).map((byte) => ALPHABET.charAt(byte % 62));
  if (body.length < BODY_LENGTH) throw new Error('Too few random bytes for a key.');
  const text = body.slice(0, BODY_LENGTH).join('');
  return `gpue_${text}${inBase62(crc32(text), CHECK_LENGTH)}`;
}

/** Whether the text can be a key at all. */
export function isWellFormed(secret: string): boolean {
  const [, body, check] = KEY_FORM.exec(secret) ?? [];
  return body !== undefined && inBase62(crc32(body), CHECK_LENGTH) === check;
}

/** Names a key where its secret must not be: the beginning of the hash. */
export const idOf = ({ hash }: Pick<KeyRecord, 'hash'>): string => hash.slice(0, 12);

export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/**
 * Whether the key may call the operation, on the endpoint where it has one. For templates its scopes say so. No key may call
 * an operation for users, also one that may call every operation.
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

/** Long enough that a slip of the hand hits nothing. */
const FORM = /^[0-9a-f]{6,64}$/;

/**
 * Removes a client key. Whoever has used it shortly before takes it for up to `KEY_CACHE` more.
 * @param id of the key, or the beginning of it
 * @throws KeyNotFound
 */
export async function revokeKey({ keys }: { readonly keys: Keys }, id: string): Promise<KeyRecord> {
  if (!FORM.test(id)) throw new KeyNotFound(`A key's id has at least 6 characters of 0-9 and a-f, got ${shown(id)}.`);
  const [found, ...others] = (await keys.list()).filter(({ hash }) => hash.startsWith(id));
  if (!found) throw new KeyNotFound(`There is no key ${id}: \`GET /keys\` and \`npm run keys -- list\` show the ids.`);
  if (others.length > 0)
    throw new KeyNotFound(`${id} begins the ids of ${[found, ...others].map(idOf).join(' and ')}: say more of one.`);
  await keys.remove(found.hash);
  return found;
}
