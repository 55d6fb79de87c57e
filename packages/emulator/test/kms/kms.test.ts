import { statSync } from 'node:fs';
import { DecryptCommand, EncryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createKeyRing, keyArn } from '../../kms/key-ring.ts';
import { createKmsApi } from '../../kms/kms-api.ts';
import { lockStateDirectory, type StateDirectory } from '../../state/state-directory.ts';
import { type SmallProxy, startSmallProxy } from '../aws-proxy/small-proxy.ts';
import { credentialsOf } from '../credentials.ts';
import { newFolder } from '../small-service.ts';

let state: StateDirectory;
let small: SmallProxy;

beforeAll(async () => {
  state = lockStateDirectory(newFolder());
  const keys = createKeyRing(state);
  for (const id of ['own', 'other']) keys.declare(id);
  small = await startSmallProxy(new Map([['kms', createKmsApi(keys)]]));
});
afterAll(async () => {
  await small.stop();
  state.release();
});

const KeyId = keyArn('own');
const EncryptionContext = { endpoint: 'echo', job: 'a' };
const allow = { Effect: 'Allow', Resource: KeyId } as const;
const forEcho = { StringEquals: { 'kms:EncryptionContext:endpoint': 'echo' } };

const clientOf = (role: string) =>
  new KMSClient({
    region: 'us-east-1',
    endpoint: small.proxy.url,
    maxAttempts: 1,
    credentials: credentialsOf(small.proxy, role),
  });

const nameOf = (call: Promise<unknown>) =>
  call.then(
    () => 'nothing',
    (error: Error) => error.name,
  );

describe('the local KMS', () => {
  it('generates a new data key for each call, and decrypts it with the same context in any order', async () => {
    const kms = clientOf(small.role('full', { ...allow, Action: 'kms:*' }));
    const generate = new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256', EncryptionContext });
    const [one, two] = [await kms.send(generate), await kms.send(generate)];
    expect(one).toMatchObject({ KeyId, Plaintext: expect.any(Uint8Array), CiphertextBlob: expect.any(Uint8Array) });
    expect([one.Plaintext?.length, one.CiphertextBlob?.length]).toEqual([32, 184]);
    expect(one.Plaintext).not.toEqual(two.Plaintext);
    expect(Buffer.from(one.CiphertextBlob ?? []).includes(Buffer.from(one.Plaintext ?? [1]))).toBe(false);
    for (const input of [{ KeyId }, {}]) {
      const decrypt = {
        ...input,
        CiphertextBlob: one.CiphertextBlob,
        EncryptionContext: { job: 'a', endpoint: 'echo' },
      };
      expect(await kms.send(new DecryptCommand(decrypt))).toMatchObject({ KeyId, Plaintext: one.Plaintext });
    }
  });

  it('refuses to decrypt with another context, another key, changed bytes, or no ciphertext', async () => {
    const kms = clientOf(small.role('more', { ...allow, Resource: '*', Action: 'kms:*' }));
    const { CiphertextBlob = new Uint8Array() } = await kms.send(
      new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256', EncryptionContext }),
    );
    const changed = CiphertextBlob.map((byte, index) => (index === 40 ? byte ^ 1 : byte));
    const decrypt = (input: object) =>
      nameOf(kms.send(new DecryptCommand({ CiphertextBlob, EncryptionContext, ...input })));
    expect(await decrypt({})).toBe('nothing');
    expect(await decrypt({ EncryptionContext: { ...EncryptionContext, job: 'b' } })).toBe('InvalidCiphertextException');
    expect(await decrypt({ EncryptionContext: undefined })).toBe('InvalidCiphertextException');
    expect(await decrypt({ CiphertextBlob: changed })).toBe('InvalidCiphertextException');
    expect(await decrypt({ CiphertextBlob: new Uint8Array(3) })).toBe('InvalidCiphertextException');
    expect(await decrypt({ KeyId: keyArn('other') })).toBe('IncorrectKeyException');
  });

  it('checks the policies of its callers, including conditions on the encryption context', async () => {
    const sealer = clientOf(small.role('sealer', { ...allow, Action: 'kms:GenerateDataKey' }));
    const opener = clientOf(small.role('opener', { ...allow, Action: 'kms:Decrypt', Condition: forEcho }));
    const generate = (endpoint: string) =>
      new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256', EncryptionContext: { endpoint } });
    const own = await sealer.send(generate('echo'));
    const foreign = await sealer.send(generate('other'));
    const decrypt = ({ CiphertextBlob }: { CiphertextBlob?: Uint8Array | undefined }, endpoint?: string) =>
      new DecryptCommand({ CiphertextBlob, EncryptionContext: endpoint === undefined ? undefined : { endpoint } });
    expect((await opener.send(decrypt(own, 'echo'))).Plaintext).toEqual(own.Plaintext);
    expect(await nameOf(opener.send(decrypt(foreign, 'other')))).toBe('AccessDeniedException');
    // Decryption with an allowed context fails, because the key was generated with another context.
    expect(await nameOf(opener.send(decrypt(foreign, 'echo')))).toBe('InvalidCiphertextException');
    expect(await nameOf(opener.send(decrypt(own)))).toBe('AccessDeniedException');
    expect(await nameOf(opener.send(generate('echo')))).toBe('AccessDeniedException');
    expect(await nameOf(sealer.send(decrypt(own, 'echo')))).toBe('AccessDeniedException');
  });

  it('refuses operations, keys and values that it does not support', async () => {
    const kms = clientOf(small.role('asking', { ...allow, Action: 'kms:*', Resource: '*' }));
    expect(await nameOf(kms.send(new EncryptCommand({ KeyId, Plaintext: new Uint8Array(1) })))).toBe(
      'UnknownOperationException',
    );
    const gone = new GenerateDataKeyCommand({ KeyId: keyArn('gone'), KeySpec: 'AES_256' });
    expect(await nameOf(kms.send(gone))).toBe('NotFoundException');
    expect(await nameOf(kms.send(new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_128' })))).toBe(
      'ValidationException',
    );
  });

  it('retains its keys between runs, in a file that only its owner can read', () => {
    const material = (id: string) => {
      const keys = createKeyRing(state);
      keys.declare(id);
      return keys.material(id)?.toString('hex');
    };
    expect(material('own')).toMatch(/^[0-9a-f]{64}$/);
    expect(material('own')).toBe(material('own'));
    expect(material('own')).not.toBe(material('other'));
    expect(createKeyRing(state).material('own')).toBeUndefined();
    expect(statSync(state.file('kms.json')).mode & 0o777).toBe(0o600);
  });
});
