import { CreateBucketCommand } from '@aws-sdk/client-s3';
import * as z from 'zod/mini';
import { account } from '../../account.ts';
import { ignored, physicalName } from '../resource.ts';
import { run } from '../resource-type.ts';

const number = z.coerce.number();

const bucketSchema = z.strictObject({
  BucketName: z.optional(z.string()),
  LifecycleConfiguration: z._default(
    z.strictObject({
      Rules: z.array(
        z.strictObject({
          Id: ignored,
          Status: z.literal(['Enabled', 'Disabled']),
          Prefix: z._default(z.string(), ''),
          ExpirationInDays: z.optional(number),
          // An incomplete upload only occupies space on the user's own disk.
          AbortIncompleteMultipartUpload: ignored,
        }),
      ),
    }),
    { Rules: [] },
  ),
  VersioningConfiguration: z.optional(z.strictObject({ Status: z.literal('Suspended') })),
  // The only disk is the user's own, which has its own encryption.
  BucketEncryption: ignored,
  // Only this machine can reach the bucket, and objects have no owner.
  PublicAccessBlockConfiguration: ignored,
  OwnershipControls: ignored,
  Tags: ignored,
});

const MAX_NAME_LENGTH = 63;
const DAY = 86_400_000;

/** Creates a bucket, or reuses an existing bucket with its objects. */
export const bucket = run(bucketSchema, async (resource, { s3, buckets, bucketDomains }) => {
  // Uppercase letters are the only characters of stack and resource names that a bucket name cannot contain.
  const { BucketName: name = physicalName(resource, MAX_NAME_LENGTH).toLowerCase() } = resource.properties;
  const { Rules } = resource.properties.LifecycleConfiguration;
  await s3.send(new CreateBucketCommand({ Bucket: name }));
  for (const { Status, Prefix, ExpirationInDays } of Rules)
    if (Status === 'Enabled' && ExpirationInDays !== undefined)
      buckets.push({ name, prefix: Prefix, maxAge: ExpirationInDays * DAY });
  const RegionalDomainName = `${name}.s3.${account.region}.${account.urlSuffix}`;
  bucketDomains.set(RegionalDomainName, name);
  return {
    ref: name,
    attributes: {
      Arn: `arn:${account.partition}:s3:::${name}`,
      DomainName: `${name}.s3.${account.urlSuffix}`,
      RegionalDomainName,
      DualStackDomainName: `${name}.s3.dualstack.${account.region}.${account.urlSuffix}`,
    },
  };
});
