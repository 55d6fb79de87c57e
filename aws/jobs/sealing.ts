/**
 * Encrypts strings in this process, each with its own data key for a context. The data key is stored beside the
 * string, encrypted by KMS, so that only a process that may use the context can decrypt the string. The KMS client is
 * loaded when it is first needed, because most functions never need it.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { DataKeys, KeyContext } from './data-keys.ts';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface Sealing {
  /** @returns a string to store */
  seal(context: KeyContext, text: string): Promise<string>;
  /** @throws if the string was sealed for another context, or is not sealed */
  open(context: KeyContext, sealed: string): Promise<string>;
}

function encrypt(key: Uint8Array, text: string): [iv: Buffer, box: Buffer] {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  return [iv, Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])];
}

function decrypt(key: Uint8Array, iv: Buffer, box: Buffer): string {
  const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(box.subarray(-TAG_BYTES));
  return decipher.update(box.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

export function createSealing(): Sealing {
  let dataKeys: DataKeys | undefined;

  async function connect(): Promise<DataKeys> {
    const { createDataKeys } = await import('./data-keys.ts');
    dataKeys ??= createDataKeys();
    return dataKeys;
  }

  return {
    async seal(context, text) {
      const { key, encrypted } = await (await connect()).generate(context);
      const parts = [Buffer.from(encrypted), ...encrypt(key, text)];
      return parts.map((part) => part.toString('base64')).join('.');
    },

    async open(context, sealed) {
      const [encrypted, iv, box] = sealed.split('.').map((part) => Buffer.from(part, 'base64'));
      if (!encrypted || !iv || !box) throw new Error('The stored secret is not a sealed string.');
      return decrypt(await (await connect()).decrypt(encrypted, context), iv, box);
    },
  };
}
