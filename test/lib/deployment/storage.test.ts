import { describe, expect, it } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { stackOf, synthesize } from '../synthesis.ts';

const { template, terminationProtection } = stackOf(synthesize(), 'Storage');

describe('the storage stack', () => {
  it('has termination protection', () => {
    expect(terminationProtection).toBe(true);
  });

  it('retains every table when it is deleted, with deletion protection and point-in-time recovery', () => {
    template.allResources('AWS::DynamoDB::Table', {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: Match.objectLike({
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        BillingMode: 'PAY_PER_REQUEST',
      }),
    });
  });

  it.each([
    ['jobs', ['partition', 'id'], 'removeAfter'],
    ['payloads', ['partition', 'item'], 'removeAfter'],
    ['deadlines', ['endpoint', 'due'], 'removeAfter'],
    ['arrivals', ['endpoint', 'item'], 'removeAfter'],
    ['endpoints', ['endpoint', 'item'], undefined],
    ['workers', ['endpoint', 'worker'], 'removeAfter'],
    ['client keys', ['hash'], undefined],
    ['webhook secrets', ['endpoint'], undefined],
    ['templates', ['collection', 'item'], 'removeAfter'],
    ['releases', ['endpoint', 'release'], 'removeAfter'],
  ])('has a table of %s with the key %j and the time to live %s', (_, keys, removeAfter) => {
    template.hasResourceProperties('AWS::DynamoDB::Table', {
      KeySchema: keys.map((AttributeName, index) => ({ AttributeName, KeyType: index === 0 ? 'HASH' : 'RANGE' })),
      TimeToLiveSpecification: removeAfter ? { AttributeName: removeAfter, Enabled: true } : Match.absent(),
    });
  });

  it('streams changes of the jobs and templates tables with the old and new items', () => {
    const streamed = Object.keys(
      template.findResources('AWS::DynamoDB::Table', {
        Properties: { StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' } },
      }),
    );
    expect(streamed).toEqual([expect.stringMatching(/^JobsTable/), expect.stringMatching(/^TemplatesTable/)]);
    template.resourcePropertiesCountIs('AWS::DynamoDB::Table', { StreamSpecification: Match.anyValue() }, 2);
  });

  it('retains and rotates the key of secrets, unless its creation fails', () => {
    template.resourceCountIs('AWS::KMS::Key', 1);
    template.hasResource('AWS::KMS::Key', {
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
      Properties: Match.objectLike({ EnableKeyRotation: true }),
    });
  });

  it('has a private, encrypted bucket that requires TLS and is retained, unless its creation fails', () => {
    template.hasResource('AWS::S3::Bucket', {
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
      Properties: Match.objectLike({
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
        },
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
      }),
    });
    template.hasResourceProperties('AWS::S3::BucketPolicy', {
      PolicyDocument: Match.objectLike({
        Statement: Match.arrayWith([
          Match.objectLike({
            Effect: 'Deny',
            Action: 's3:*',
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          }),
        ]),
      }),
    });
  });

  it('expires objects after the number of days in their prefix', () => {
    template.hasResourceProperties('AWS::S3::Bucket', {
      LifecycleConfiguration: {
        Rules: [2, 8, 50].map((days) => ({ ExpirationInDays: days, Prefix: `${days}/`, Status: 'Enabled' })),
      },
    });
  });

  it('has no other resources', () => {
    expect(Object.keys(template.findResources('AWS::DynamoDB::Table'))).toHaveLength(12);
    // The bucket and its policy, the key of secrets, the file system, the user pool and its three groups.
    // Parameters with the values that other stacks need are not counted.
    const all: { Type: string }[] = Object.values(template.toJSON().Resources);
    expect(all.filter(({ Type }) => Type !== 'AWS::SSM::Parameter')).toHaveLength(20);
  });
});
