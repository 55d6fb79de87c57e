/** The operations of KMS that generate and decrypt data keys. Any other operation is refused by name. */
import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { AwsFault } from '../aws-proxy/aws-fault.ts';
import type { JsonService } from '../aws-proxy/json-service.ts';
import { decrypt, encrypt, keyIdIn } from './ciphertext.ts';
import { type KeyRing, keyArn } from './key-ring.ts';

const DATA_KEY_BYTES = 32;

const context = z._default(z.record(z.string(), z.string()), {});
const inputs = {
  GenerateDataKey: z.strictObject({ KeyId: z.string(), KeySpec: z.literal('AES_256'), EncryptionContext: context }),
  Decrypt: z.strictObject({
    CiphertextBlob: z.string(),
    KeyId: z.optional(z.string()),
    EncryptionContext: context,
  }),
} as const;

type Operation = keyof typeof inputs;
type Input<Name extends Operation> = z.output<(typeof inputs)[Name]>;

function asOperation(name: string): Operation {
  if (Object.hasOwn(inputs, name)) return name as Operation;
  throw new AwsFault(400, 'UnknownOperationException', `KMS has no operation ${name} on this machine.`);
}

/** Parses an input. Errors contain only the names of invalid members, because values can be secret. */
function asInput<Name extends Operation>(operation: Name, input: unknown): Input<Name> {
  const parsed = z.safeParse(inputs[operation], input);
  if (parsed.success) return parsed.data as Input<Name>;
  const members = parsed.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys : issue.path.map(String),
  );
  throw new AwsFault(400, 'ValidationException', `${operation} does not accept this ${members.join(', ')}.`);
}

/** Returns the id of a key that is given by id or ARN. */
const idOf = (name: string) => name.split('/').at(-1) ?? '';

const invalidCiphertext = () => new AwsFault(400, 'InvalidCiphertextException', 'The ciphertext cannot be decrypted.');

function blobOf({ CiphertextBlob }: Input<'Decrypt'>) {
  const blob = Buffer.from(CiphertextBlob, 'base64');
  return { blob, keyId: keyIdIn(blob) };
}

export function createKmsApi(keys: KeyRing): JsonService {
  function materialOf(id: string): Buffer {
    const material = keys.material(id);
    if (!material) throw new AwsFault(400, 'NotFoundException', `Key '${keyArn(id)}' does not exist`);
    return material;
  }

  function generate({ KeyId, EncryptionContext }: Input<'GenerateDataKey'>) {
    const id = idOf(KeyId);
    const dataKey = randomBytes(DATA_KEY_BYTES);
    const ciphertext = encrypt(id, materialOf(id), EncryptionContext, dataKey);
    return {
      KeyId: keyArn(id),
      Plaintext: dataKey.toString('base64'),
      CiphertextBlob: ciphertext.toString('base64'),
    };
  }

  function open(input: Input<'Decrypt'>) {
    const { blob, keyId } = blobOf(input);
    if (keyId === undefined) throw invalidCiphertext();
    if (input.KeyId !== undefined && idOf(input.KeyId) !== keyId)
      throw new AwsFault(400, 'IncorrectKeyException', 'The ciphertext is encrypted under another key.');
    const plaintext = decrypt(keyId, materialOf(keyId), input.EncryptionContext, blob);
    if (!plaintext) throw invalidCiphertext();
    return {
      KeyId: keyArn(keyId),
      Plaintext: plaintext.toString('base64'),
      EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
    };
  }

  return {
    call: async (name, input) =>
      asOperation(name) === 'Decrypt' ? open(asInput('Decrypt', input)) : generate(asInput('GenerateDataKey', input)),

    authorization(name, input) {
      const operation = asOperation(name);
      const parsed = asInput(operation, input);
      const id = parsed.KeyId ?? ('CiphertextBlob' in parsed ? blobOf(parsed).keyId : undefined);
      if (id === undefined) throw invalidCiphertext();
      const keyId = idOf(id);
      const named = (prefix: string, pairs: Readonly<Record<string, string>>) =>
        Object.entries(pairs).map(([key, value]) => [`${prefix}${key}`, [value]]);
      return {
        action: `kms:${operation}`,
        resource: keyArn(keyId),
        context: Object.fromEntries([
          ...named('kms:EncryptionContext:', parsed.EncryptionContext),
          ...named('aws:ResourceTag/', keys.tags(keyId)),
        ]),
      };
    },
  };
}
