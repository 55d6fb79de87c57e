import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Cloud } from '../../cloud.ts';
import type { Resource } from '../../cloudformation/resource.ts';
import { resourceTypeOf } from '../../cloudformation/resource-types.ts';
import { type Emulators, startEmulators } from '../../emulators/emulators.ts';
import type { ExpiringObjects } from '../../expiry/object-expiry.ts';
import { removeOld } from '../../expiry/object-expiry.ts';
import { endMarkedProcesses } from '../../state/processes.ts';
import { newFolder } from '../small-service.ts';

const folder = newFolder();
let running: Emulators | undefined;

afterAll(() => running?.stop());

/** Returns the running emulators, or starts emulators with the data of the previous ones. */
async function start() {
  const emulators = running ?? (await startEmulators(folder));
  running = emulators;
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const settings = { region: 'us-east-1', credentials, endpoint: emulators.sqsUrl };
  return { emulators, s3: new S3Client({ ...settings, forcePathStyle: true }), plain: new S3Client(settings) };
}

/**
 * Creates a bucket.
 * @returns its identity and its expiry rules
 */
async function deploy(s3: S3Client, properties: object, logicalId = 'PayloadsA1B2') {
  const buckets: ExpiringObjects[] = [];
  const resource = { stack: { id: 'Storage' }, logicalId, type: 'AWS::S3::Bucket', properties };
  const identity = await resourceTypeOf('AWS::S3::Bucket')?.create(
    resource as Resource,
    { s3, buckets, bucketDomains: new Map() } as unknown as Cloud,
  );
  return { buckets, identity };
}

/** A bucket in the form that the CDK generates. */
const properties = {
  BucketEncryption: {
    ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
  },
  LifecycleConfiguration: {
    Rules: [
      {
        AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
        ExpirationInDays: 1,
        Prefix: 'payloads/',
        Status: 'Enabled',
      },
      { Id: 'off', ExpirationInDays: 1, Status: 'Disabled' },
    ],
  },
  OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
  PublicAccessBlockConfiguration: { BlockPublicAcls: true },
  VersioningConfiguration: { Status: 'Suspended' },
};

const Bucket = 'storage-payloadsa1b2';
const put = (s3: S3Client, Key: string, Body: string | Uint8Array) =>
  s3.send(new PutObjectCommand({ Bucket, Key, Body }));
async function body(s3: S3Client, Key: string): Promise<Uint8Array> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
  return (await Body?.transformToByteArray()) ?? new Uint8Array();
}

describe('a bucket', () => {
  it('has a name that S3 allows, and the attributes of a bucket', async () => {
    const { s3 } = await start();
    const { identity, buckets } = await deploy(s3, properties);
    expect(identity).toEqual({
      ref: Bucket,
      attributes: {
        Arn: `arn:aws:s3:::${Bucket}`,
        DomainName: `${Bucket}.s3.amazonaws.com`,
        RegionalDomainName: `${Bucket}.s3.us-east-1.amazonaws.com`,
        DualStackDomainName: `${Bucket}.s3.dualstack.us-east-1.amazonaws.com`,
      },
    });
    expect(buckets).toEqual([{ name: Bucket, prefix: 'payloads/', maxAge: 86_400_000 }]);
  });

  it.each<[object, string]>([
    [{ VersioningConfiguration: { Status: 'Enabled' } }, 'VersioningConfiguration.Status cannot be "Enabled"'],
    [{ NotificationConfiguration: {} }, 'NotificationConfiguration is not supported'],
    [
      { LifecycleConfiguration: { Rules: [{ Status: 'Enabled', TagFilters: [] }] } },
      'LifecycleConfiguration.Rules.0.TagFilters is not supported',
    ],
  ])('stops the start if a property is not supported: %j', async (properties, sentence) => {
    await expect(deploy(new S3Client({}), properties)).rejects.toThrow(sentence);
  });

  it('stores objects of 20 MB and returns them unchanged', async () => {
    const { s3, plain } = await start();
    await deploy(s3, properties);
    const large = Buffer.alloc(
      20 * 1024 * 1024,
      Uint8Array.from({ length: 251 }, (_, at) => at),
    );
    await put(s3, 'large', large);
    expect(Buffer.compare(await body(s3, 'large'), large)).toBe(0);
    // The address is an IP address, so clients need no setting for path-style URLs.
    await put(plain, 'small', 'as is');
    expect(Buffer.from(await body(plain, 'small')).toString()).toBe('as is');
  });

  it('retains every acknowledged object after kill -9 and a second start of the stack', async () => {
    const { s3, emulators } = await start();
    await deploy(s3, properties);
    const acknowledged: string[] = [];
    const { promise: enough, resolve } = Promise.withResolvers<void>();
    const writers = [1, 2, 3, 4].map(async (writer) => {
      for (let n = 0; ; n += 1) {
        const key = `${writer}/${n}`;
        await put(s3, key, `content of ${key}`);
        acknowledged.push(key);
        if (acknowledged.length >= 100) resolve();
      }
    });
    const failed = Promise.allSettled(writers);
    await enough;
    expect(await endMarkedProcesses(folder)).toBeGreaterThan(0);
    await Promise.all([emulators.died, failed]);
    running = undefined;
    s3.destroy();

    const after = await start();
    await deploy(after.s3, properties);
    const kept = await Promise.all(acknowledged.map(async (key) => Buffer.from(await body(after.s3, key)).toString()));
    expect(kept).toEqual(acknowledged.map((key) => `content of ${key}`));
  });
});

describe('the lifecycle of a bucket', () => {
  it('removes only the objects that are old enough and have the prefix', async () => {
    const { s3 } = await start();
    const { buckets } = await deploy(s3, properties, 'Expiring');
    const [rule] = buckets;
    if (!rule) throw new Error('no rule');
    const of = { Bucket: rule.name };
    for (const Key of ['payloads/a', 'payloads/b', 'other/a'])
      await s3.send(new PutObjectCommand({ ...of, Key, Body: 'x' }));
    const written = Date.now();
    expect(await removeOld(s3, rule, () => written + 86_400_000 - 60_000)).toBe(0);
    expect(await removeOld(s3, rule, () => written + 86_400_000 + 60_000)).toBe(2);
    const { Contents = [] } = await s3.send(new ListObjectsV2Command(of));
    expect(Contents.map(({ Key }) => Key)).toEqual(['other/a']);
  });
});
