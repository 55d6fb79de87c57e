/** Compares signatures with those in AWS's documentation of S3, and with those of the SDK. */
import { S3Client } from '@aws-sdk/client-s3';
import { describe, expect, it } from '@jest/globals';
import { HttpRequest } from '@smithy/core/protocols';
import * as fc from 'fast-check';
import { type Credentials, createSigner } from '../../aws/services/signer.ts';
import { PROPERTY_SEED, seedOf } from '../runner/seed.ts';

describe('the examples of AWS', () => {
  const signer = createSigner({
    credentials: async () => ({
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    }),
    region: async () => 'us-east-1',
    service: 's3',
  });
  const hostname = 'examplebucket.s3.amazonaws.com';
  const host = { host: hostname };

  it.each([
    [
      'GetObject',
      { method: 'GET', path: '/test.txt', headers: { ...host, range: 'bytes=0-9' } },
      'host;range;x-amz-content-sha256;x-amz-date, Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ],
    [
      'PutObject',
      {
        method: 'PUT',
        path: '/test%24file.text',
        headers: { ...host, date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
        body: 'Welcome to Amazon S3.',
      },
      'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class, Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    ],
  ])('%s has its signature', async (_, parts, end) => {
    const signingDate = new Date('2013-05-24T00:00:00Z');
    const { headers } = await signer.sign(new HttpRequest({ ...parts, hostname }), { signingDate });
    expect(headers.authorization).toBe(
      `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=${end}`,
    );
  });
});

describe('a signature', () => {
  const text = fc.string({ minLength: 1, unit: 'grapheme-ascii' });
  const requests = fc.record({
    method: fc.constantFrom('GET', 'PUT', 'POST'),
    path: fc
      .array(fc.string({ unit: fc.constantFrom('a', 'B', '9', '%2F', '-', '.') }))
      .map((parts) => `/${parts.join('/')}`),
    body: fc.option(fc.oneof(fc.string({ unit: 'grapheme' }), fc.uint8Array()), { nil: undefined }),
    headers: fc
      .dictionary(
        fc.constantFrom('content-type', 'x-amz-target', 'amz-sdk-request', 'content-length'),
        fc.oneof(text, fc.constant('  two  spaces ')),
      )
      .map((headers): Record<string, string> => ({ ...headers, host: 'example.com' })),
  });
  const signatures = fc.record({
    request: requests,
    credentials: fc.record(
      { accessKeyId: text, secretAccessKey: fc.constantFrom('first', 'second'), sessionToken: text },
      { requiredKeys: ['accessKeyId', 'secretAccessKey'] },
    ),
    signingDate: fc
      .tuple(fc.constantFrom('2026-01-01', '2026-01-02', '2027-01-01'), fc.nat({ max: 86_399_999 }))
      .map(([day, since]) => new Date(Date.parse(day) + since)),
  });

  it('is the same as that of the SDK, also after a change of the day or of the credentials', async () => {
    let present: Credentials = { accessKeyId: '', secretAccessKey: '' };
    const credentials = async () => present;
    const ours = createSigner({ credentials, region: async () => 'eu-west-1', service: 's3' });
    const sdk = new S3Client({ region: 'eu-west-1' });
    const property = fc.asyncProperty(signatures, async ({ request, credentials: given, signingDate }) => {
      present = given as Credentials;
      sdk.config.credentials = async () => given as Credentials as never;
      const parts = () => new HttpRequest({ ...request, headers: { ...request.headers }, hostname: 'example.com' });
      const expected = await (await sdk.config.signer()).sign(parts() as never, { signingDate });
      expect((await ours.sign(parts(), { signingDate })).headers).toEqual(expected.headers);
    });
    await fc.assert(property, { seed: seedOf(PROPERTY_SEED), numRuns: 500 });
  });
});
