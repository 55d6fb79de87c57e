import * as z from 'zod/mini';
import { arn } from '../../account.ts';
import { keyArn } from '../../kms/key-ring.ts';
import { ignored, physicalName } from '../resource.ts';
import { run } from '../resource-type.ts';

/** The key policy that delegates access to identity policies; any other key policy is refused. */
const ownerPolicy = z.strictObject({
  Version: z.literal('2012-10-17'),
  Statement: z.tuple([
    z.strictObject({
      Effect: z.literal('Allow'),
      Action: z.literal('kms:*'),
      Principal: z.strictObject({ AWS: z.literal(arn('iam', 'root', '')) }),
      Resource: z.literal('*'),
    }),
  ]),
});

const keySchema = z.strictObject({
  KeyPolicy: ownerPolicy,
  // A key still decrypts old data after a rotation. The local key is never rotated.
  EnableKeyRotation: ignored,
  RotationPeriodInDays: ignored,
  PendingWindowInDays: ignored,
  Description: ignored,
  Tags: z._default(z.array(z.strictObject({ Key: z.string(), Value: z.string() })), []),
});

/** Creates a key, or reuses an existing one. */
export const key = run(keySchema, (resource, { keys }) => {
  const id = physicalName(resource);
  keys.declare(id, Object.fromEntries(resource.properties.Tags.map(({ Key, Value }) => [Key, Value])));
  return { ref: id, attributes: { Arn: keyArn(id), KeyId: id } };
});
