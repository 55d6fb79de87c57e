/** The policies of roles, queues and buckets, by which every call is authorized. */
import * as z from 'zod/mini';
import { account, arn } from '../../account.ts';
import { roleArn } from '../../iam/permissions.ts';
import { parsePolicy, policyDocument } from '../../iam/statement.ts';
import { describe, ignored, physicalName } from '../resource.ts';
import { run } from '../resource-type.ts';

const MAX_NAME_LENGTH = 64;

const roleSchema = z.strictObject({
  RoleName: z.optional(z.string()),
  Policies: z._default(z.array(z.strictObject({ PolicyName: z.string(), PolicyDocument: policyDocument })), []),
  ManagedPolicyArns: z._default(z.array(z.string()), []),
  Path: z._default(z.string(), '/'),
  PermissionsBoundary: z.optional(z.string()),
  // The proxy does not issue credentials: every process that runs under a role gets the role's name.
  AssumeRolePolicyDocument: ignored,
  MaxSessionDuration: ignored,
  Description: ignored,
  Tags: ignored,
});

export const role = run(roleSchema, (resource, { permissions }) => {
  const { RoleName = physicalName(resource, MAX_NAME_LENGTH), Path, PermissionsBoundary } = resource.properties;
  const { Policies, ManagedPolicyArns } = resource.properties;
  const itsArn = roleArn(`${Path.slice(1)}${RoleName}`);
  permissions.addRole(RoleName, itsArn);
  for (const { PolicyName, PolicyDocument } of Policies)
    permissions.attach(RoleName, parsePolicy(PolicyDocument, `${describe(resource)} ${PolicyName}`, 'identity'));
  for (const policyArn of ManagedPolicyArns) permissions.attachManaged(RoleName, policyArn, describe(resource));
  if (PermissionsBoundary !== undefined) permissions.limit(RoleName, PermissionsBoundary, describe(resource));
  return {
    ref: RoleName,
    attributes: { Arn: itsArn, RoleId: physicalName(resource) },
  };
});

const policySchema = z.strictObject({
  PolicyName: z.string(),
  PolicyDocument: policyDocument,
  Roles: z.array(z.string()),
});

export const policy = run(policySchema, (resource, { permissions }) => {
  const { PolicyName, PolicyDocument, Roles } = resource.properties;
  const statements = parsePolicy(PolicyDocument, describe(resource), 'identity');
  for (const name of Roles) permissions.attach(name, statements);
  return { ref: PolicyName, attributes: { Id: PolicyName } };
});

const managedPolicySchema = z.strictObject({
  ManagedPolicyName: z.optional(z.string()),
  PolicyDocument: policyDocument,
  Roles: z._default(z.array(z.string()), []),
  Path: z.optional(z.literal('/')),
  Description: ignored,
});

export const managedPolicy = run(managedPolicySchema, (resource, { permissions }) => {
  const { ManagedPolicyName = physicalName(resource), PolicyDocument, Roles } = resource.properties;
  const statements = parsePolicy(PolicyDocument, describe(resource), 'identity');
  const policyArn = arn('iam', `policy/${ManagedPolicyName}`, '');
  permissions.addManagedPolicy(policyArn, statements);
  for (const name of Roles) permissions.attach(name, statements);
  return { ref: policyArn, attributes: { PolicyArn: policyArn } };
});

const queuePolicySchema = z.strictObject({ PolicyDocument: policyDocument, Queues: z.array(z.string()) });

export const queuePolicy = run(queuePolicySchema, (resource, { permissions }) => {
  const { PolicyDocument, Queues } = resource.properties;
  const statements = parsePolicy(PolicyDocument, describe(resource), 'resource');
  for (const url of Queues) permissions.protect(arn('sqs', url.split('/').at(-1) ?? ''), statements);
  return { ref: physicalName(resource), attributes: { Id: physicalName(resource) } };
});

const bucketPolicySchema = z.strictObject({ PolicyDocument: policyDocument, Bucket: z.string() });

export const bucketPolicy = run(bucketPolicySchema, (resource, { permissions }) => {
  const { PolicyDocument, Bucket } = resource.properties;
  const statements = parsePolicy(PolicyDocument, describe(resource), 'resource');
  permissions.protect(`arn:${account.partition}:s3:::${Bucket}`, statements);
  return { ref: Bucket };
});
