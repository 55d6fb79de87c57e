import * as z from 'zod/mini';
import { arn } from '../../account.ts';
import { fileSystemArn } from '../../ecs/names.ts';
import { parsePolicy, policyDocument } from '../../iam/statement.ts';
import { describe, ignored, shortId } from '../resource.ts';
import { run } from '../resource-type.ts';

const fileSystemSchema = z.strictObject({
  FileSystemPolicy: z.optional(policyDocument),
  // This machine's disk has its own encryption and speed, and no cheaper storage classes.
  Encrypted: ignored,
  LifecyclePolicies: ignored,
  PerformanceMode: ignored,
  ThroughputMode: ignored,
  FileSystemTags: ignored,
});

export const fileSystem = run(fileSystemSchema, (resource, { permissions }) => {
  const id = `fs-${shortId(resource)}`;
  const { FileSystemPolicy: policy } = resource.properties;
  if (policy) permissions.protect(fileSystemArn(id), parsePolicy(policy, describe(resource), 'resource'));
  return { ref: id, attributes: { Arn: fileSystemArn(id), FileSystemId: id } };
});

/** An absolute path without `.` and `..`, other than `/`. */
const PATH = /^(?:\/(?!\.\.?(?:\/|$))[\w.-]+)+$/;

const accessPointSchema = z.strictObject({
  FileSystemId: z.string(),
  RootDirectory: z.strictObject({
    Path: z.string().check(z.regex(PATH)),
    CreationInfo: ignored,
  }),
  // All files of the file system belong to the user of `npm start`.
  PosixUser: ignored,
  AccessPointTags: ignored,
});

/** Creates an access point. Its folder is created when a task mounts it, as in EFS. */
export const accessPoint = run(accessPointSchema, (resource, { ecs }) => {
  const id = `fsap-${shortId(resource)}`;
  const { FileSystemId: fileSystemId, RootDirectory } = resource.properties;
  const itsArn = arn('elasticfilesystem', `access-point/${id}`);
  ecs.accessPoints.set(id, { arn: itsArn, fileSystemId, rootDirectory: RootDirectory.Path });
  return { ref: id, attributes: { Arn: itsArn, AccessPointId: id } };
});
