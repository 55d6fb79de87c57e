/** The ciphertext of a data key: the key's id and the encrypted bytes, with the same length as in AWS. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const DATA_KEY_BYTES = 32;
/** Length of AWS's ciphertexts, in bytes. The length decides where a secret is stored. */
const LENGTH = 184;

export type Context = Readonly<Record<string, string>>;

/** Returns the authenticated data, which does not depend on the order of the pairs. */
const authenticated = (id: string, context: Context) =>
  Buffer.from(JSON.stringify([id, Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1))]));

export function encrypt(id: string, material: Buffer, context: Context, dataKey: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, material, iv).setAAD(authenticated(id, context));
  const encrypted = Buffer.concat([cipher.update(dataKey), cipher.final()]);
  const name = Buffer.from(id);
  const parts = [Buffer.from([VERSION, name.length]), name, iv, cipher.getAuthTag(), encrypted];
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([...parts, randomBytes(Math.max(0, LENGTH - length))]);
}

/** Returns the id of the encryption key; undefined if the bytes are not a ciphertext. */
export function keyIdIn(ciphertext: Buffer): string | undefined {
  const [version, length = 0] = ciphertext;
  if (version !== VERSION || ciphertext.length < LENGTH) return undefined;
  return ciphertext.toString('utf8', 2, 2 + length);
}

/**
 * Decrypts the data key.
 * @returns undefined if the encryption context is different, or the ciphertext was changed
 */
export function decrypt(id: string, material: Buffer, context: Context, ciphertext: Buffer): Buffer | undefined {
  let at = 2 + Buffer.byteLength(id);
  const next = (bytes: number) => {
    at += bytes;
    return ciphertext.subarray(at - bytes, at);
  };
  const [iv, tag, encrypted] = [next(IV_BYTES), next(TAG_BYTES), next(DATA_KEY_BYTES)];
  const decipher = createDecipheriv(ALGORITHM, material, iv).setAAD(authenticated(id, context)).setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(encrypted), decipher.final()]);
  } catch {
    return undefined;
  }
}
