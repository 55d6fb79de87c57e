/**
 * Envelope encryption: encrypts each string in this process with its own data key. KMS encrypts the data key for a
 * context, and the encrypted key is stored with the string. Only a role that may use the key of KMS with the same
 * context can decrypt the string.
 *
 * A sealed string has three parts in base64, separated by periods: the encrypted data key, the initialization vector,
 * and the ciphertext with its authentication tag.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { DataKeys, KeyContext } from './data-keys.ts';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface Sealing {
  /** Encrypts the text. Returns the sealed string, which may be stored. */
  seal(context: KeyContext, text: string): Promise<string>;
  /**
   * Returns the text of a sealed string.
   * @throws Error if the string was sealed for another context, or is not sealed
   */
  open(context: KeyContext, sealed: string): Promise<string>;
}

/** The result of AES-GCM: the initialization vector, and the ciphertext followed by its authentication tag. */
interface Encrypted {
  readonly iv: Buffer;
  readonly ciphertextAndTag: Buffer;
}

function encrypt(key: Uint8Array, text: string): Encrypted {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  const ciphertextAndTag = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return { iv, ciphertextAndTag };
}

function decrypt(key: Uint8Array, { iv, ciphertextAndTag }: Encrypted): string {
  const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(ciphertextAndTag.subarray(-TAG_BYTES));
  const ciphertext = ciphertextAndTag.subarray(0, -TAG_BYTES);
  return decipher.update(ciphertext, undefined, 'utf8') + decipher.final('utf8');
}

export function createSealing(): Sealing {
  let dataKeys: DataKeys | undefined;

  /** Loads the KMS client on first use, because most functions never need it. */
  async function loadDataKeys(): Promise<DataKeys> {
    const { createDataKeys } = await import('./data-keys.ts');
    dataKeys ??= createDataKeys();
    return dataKeys;
  }

  return {
    async seal(context, text) {
      const { key, encrypted: encryptedKey } = await (await loadDataKeys()).generate(context);
      const { iv, ciphertextAndTag } = encrypt(key, text);
      return [Buffer.from(encryptedKey), iv, ciphertextAndTag].map((part) => part.toString('base64')).join('.');
    },

    async open(context, sealed) {
      const [encryptedKey, iv, ciphertextAndTag] = sealed.split('.').map((part) => Buffer.from(part, 'base64'));
      if (!encryptedKey || !iv || !ciphertextAndTag) throw new Error('The stored secret is not a sealed string.');
      const key = await (await loadDataKeys()).decrypt(encryptedKey, context);
      return decrypt(key, { iv, ciphertextAndTag });
    },
  };
}
