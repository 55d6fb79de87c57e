/** Data keys of AWS KMS. Each key is created for a context, and can be decrypted only with the same context. */

import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { environment } from '../environment.ts';
import { requestHandler } from '../request-handler.ts';

/** CloudTrail logs the context, so it contains names and no secrets. */
export type KeyContext = Readonly<Record<string, string>>;

export interface DataKeys {
  /** Returns a new key of 32 bytes, and the same key encrypted by KMS, which may be stored. */
  generate(context: KeyContext): Promise<{ readonly key: Uint8Array; readonly encrypted: Uint8Array }>;
  decrypt(encrypted: Uint8Array, context: KeyContext): Promise<Uint8Array>;
}

export function createDataKeys(): DataKeys {
  const kms = new KMSClient({ requestHandler: requestHandler('keys') });
  const KeyId = environment('SECRETS_KEY');
  return {
    async generate(EncryptionContext) {
      const generate = new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256', EncryptionContext });
      const { Plaintext, CiphertextBlob } = await kms.send(generate);
      if (!Plaintext || !CiphertextBlob) throw new Error('KMS did not return a data key.');
      return { key: Plaintext, encrypted: CiphertextBlob };
    },

    async decrypt(CiphertextBlob, EncryptionContext) {
      const { Plaintext } = await kms.send(new DecryptCommand({ KeyId, CiphertextBlob, EncryptionContext }));
      if (!Plaintext) throw new Error('KMS did not return a data key.');
      return Plaintext;
    },
  };
}
