/**
 * Tests that resources of a state directory have the same names under any deployment name, so that a start under
 * another name finds them.
 */

import { describe, expect, it } from '@jest/globals';
import type { Cloud } from '../../cloud.ts';
import { deployStacks } from '../../cloudformation/deploy.ts';
import type { Template } from '../../cloudformation/template.ts';
import { noServices } from '../../ecs/registry.ts';
import { createPermissions } from '../../iam/permissions.ts';
import { readAssembly } from '../../synthesis/assembly.ts';
import { newFolder, noAws, writeAssembly } from '../small-service.ts';

const KeySchema = [{ AttributeName: 'id', KeyType: 'HASH' }];
const owner = {
  Effect: 'Allow',
  Action: 'kms:*',
  Principal: { AWS: 'arn:aws:iam::000000000000:root' },
  Resource: '*',
};
const stacks: Record<string, Template> = {
  Storage: {
    Resources: {
      Table: {
        Type: 'AWS::DynamoDB::Table',
        Properties: {
          AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
          KeySchema,
          BillingMode: 'PAY_PER_REQUEST',
        },
      },
      Bucket: { Type: 'AWS::S3::Bucket', Properties: {} },
      Queue: { Type: 'AWS::SQS::Queue', Properties: {} },
      Key: { Type: 'AWS::KMS::Key', Properties: { KeyPolicy: { Version: '2012-10-17', Statement: [owner] } } },
      Slots: {
        Type: 'Custom::Slots',
        Properties: { ServiceToken: 'arn:aws:lambda:us-east-1:000000000000:function:f' },
      },
      Logs: { Type: 'AWS::Logs::LogGroup', Properties: {} },
    },
    Outputs: {
      Kept: { Value: { 'Fn::Join': [' ', ['Table', 'Bucket', 'Queue', 'Key'].map((Ref) => ({ Ref }))] } },
      Logs: { Value: { Ref: 'Logs' } },
      Stack: { Value: { Ref: 'AWS::StackName' } },
    },
  },
};

/**
 * Deploys the stack with clients whose calls all succeed.
 * @returns the names of the created resources
 */
async function deployed(deployment?: string) {
  const customResources: string[] = [];
  const answers = { send: () => Promise.resolve({ QueueUrls: [], Table: { KeySchema } }) };
  const cleaned: (string | undefined)[] = [];
  const cloud: Partial<Record<keyof Cloud, unknown>> = {
    dynamodb: answers,
    sqs: answers,
    s3: answers,
    proxyUrl: 'http://127.0.0.1:1',
    awsEnvironment: noAws,
    tables: new Map(),
    queues: new Set(),
    expiring: [],
    buckets: [],
    bucketDomains: new Map(),
    permissions: createPermissions(),
    keys: { declare: () => undefined },
    logs: { declare: () => undefined },
    ecs: noServices(),
    product: {},
    customResources: {
      apply: (resource: { stackName: string; logicalId: string }) => {
        customResources.push(`${resource.stackName}/${resource.logicalId}`);
        return Promise.resolve({ physicalId: 'slots', data: {} });
      },
      deleteOthers: (stack?: string) => Promise.resolve(void cleaned.push(stack)),
    },
    localized: (text: string) => text,
  };
  const read = readAssembly(writeAssembly(newFolder(), stacks, '', deployment));
  const outputs = await deployStacks(read, cloud as unknown as Cloud, { step: () => undefined });
  return { outputs: outputs.Storage, customResources, cleaned };
}

describe('a state directory of a version without deployments', () => {
  it('retains its tables, buckets, queues, keys and custom resources under any deployment name', async () => {
    const before = await deployed();
    const after = await deployed('gpu-endpoints');
    expect(before.outputs?.Kept).toContain('Storage-Table storage-bucket ');
    expect(after.outputs?.Kept).toBe(before.outputs?.Kept);
    expect(after.customResources).toEqual(['Storage/Slots']);
    expect(after.cleaned).toEqual(['Storage', undefined]);
  });

  it('contains resources with the same names as in AWS if policies refer to the name of the stack', async () => {
    const { outputs } = await deployed('b');
    expect(outputs).toMatchObject({ Logs: 'b-Storage-Logs', Stack: 'b-Storage' });
  });
});
