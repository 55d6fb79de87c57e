/** Compares the commands of KMS with those of the SDK. */
import * as sdk from '@aws-sdk/client-kms';
import { expect, it } from '@jest/globals';
import * as ours from '../../aws/services/kms.ts';
import { addressesIn } from './addresses.ts';
import { responseOf } from './small-aws.ts';
import { useSmallAws } from './use-small-aws.ts';

const KeyId = 'arn:aws:kms:us-east-1:000000000000:key/k';
const EncryptionContext = { endpoint: 'echo', job: 'ü' };

const aws = useSmallAws();

it.each<[string, (commands: typeof ours | typeof sdk) => object]>([
  [
    'GenerateDataKey',
    ({ GenerateDataKeyCommand }) => new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256', EncryptionContext }),
  ],
  [
    'Decrypt',
    ({ DecryptCommand }) => new DecryptCommand({ KeyId, CiphertextBlob: Buffer.from([0, 255]), EncryptionContext }),
  ],
])('%s sends what the SDK sends, and returns the same bytes', async (name, commandOf) => {
  const keys = { KeyId, Plaintext: 'AAH+/w==', CiphertextBlob: 'AgME' };
  aws.current.respond(responseOf(200, JSON.stringify(keys), { 'content-type': 'application/x-amz-json-1.1' }));
  const result = (await new ours.KeyClient().send(commandOf(ours) as never)) as sdk.GenerateDataKeyCommandOutput;
  await new sdk.KMSClient({}).send(commandOf(sdk) as never);
  const [own, other] = aws.current.received;
  expect(JSON.parse(String(own?.body))).toEqual(JSON.parse(String(other?.body)));
  for (const header of ['content-type', 'x-amz-target'])
    expect([header, own?.headers[header]]).toEqual([header, other?.headers[header]]);
  expect(own?.headers['x-amz-target']).toBe(`TrentService.${name}`);
  expect(result.Plaintext).toEqual(Buffer.from([0, 1, 254, 255]));
  expect(result.CiphertextBlob).toEqual(Buffer.from([2, 3, 4]));
});

it('has the same addresses as the SDK', async () => {
  const decrypt = { KeyId, CiphertextBlob: Buffer.from([1]) };
  const { own, sdk: expected } = await addressesIn({
    own: () => new ours.KeyClient(),
    sdk: () => new sdk.KMSClient({}),
    commands: [new ours.DecryptCommand(decrypt), new sdk.DecryptCommand(decrypt)],
  });
  expect(own).toEqual(expected);
});
