/** The operations of KMS that this project uses. Their inputs and outputs are those of `@aws-sdk/client-kms`. */
import type * as sdk from '@aws-sdk/client-kms';
import { hostNamed } from './configuration.ts';
import { jsonCommandOf } from './json-operation.ts';
import { ServiceClient } from './service-client.ts';

export class KeyClient extends ServiceClient {
  constructor() {
    super({ serviceId: 'KMS', signingName: 'kms', timeouts: 'keys', hostOf: hostNamed('kms') });
  }
}

type Bytes = 'CiphertextBlob' | 'Plaintext';

const bytesIn = (value: unknown) => (typeof value === 'string' ? Buffer.from(value, 'base64') : undefined);

const operation = <Input extends object, Output extends { readonly [Name in Bytes]?: Uint8Array | undefined }>(
  name: string,
) =>
  jsonCommandOf<Input, Pick<Output, Bytes>>(
    { target: 'TrentService', contentType: 'application/x-amz-json-1.1' },
    {
      name,
      decode: ({ CiphertextBlob, Plaintext }) =>
        ({ CiphertextBlob: bytesIn(CiphertextBlob), Plaintext: bytesIn(Plaintext) }) as Pick<Output, Bytes>,
    },
  );

export class GenerateDataKeyCommand extends operation<
  sdk.GenerateDataKeyCommandInput,
  sdk.GenerateDataKeyCommandOutput
>('GenerateDataKey') {}
export class DecryptCommand extends operation<sdk.DecryptCommandInput, sdk.DecryptCommandOutput>('Decrypt') {}
