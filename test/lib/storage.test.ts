import { describe, expect, it } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { stackOf, synthesize } from './synthesis.ts';

const { template, terminationProtection } = stackOf(synthesize(), 'Storage');

describe('the storage stack', () => {
  it('refuses to be deleted', () => {
    expect(terminationProtection).toBe(true);
  });

  it('keeps every table when it is deleted, and lets none be deleted or lose its past', () => {
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
    ['endpoints', ['endpoint', 'item'], undefined],
    ['workers', ['endpoint', 'worker'], 'removeAfter'],
    ['client keys', ['hash'], undefined],
  ])('finds %s by %j and tidies them by %s', (_, keys, removeAfter) => {
    template.hasResourceProperties('AWS::DynamoDB::Table', {
      KeySchema: keys.map((AttributeName, index) => ({ AttributeName, KeyType: index === 0 ? 'HASH' : 'RANGE' })),
      TimeToLiveSpecification: removeAfter ? { AttributeName: removeAfter, Enabled: true } : Match.absent(),
    });
  });

  it('has nothing else', () => {
    expect(Object.keys(template.findResources('AWS::DynamoDB::Table'))).toHaveLength(5);
    expect(Object.keys(template.toJSON().Resources)).toHaveLength(5);
  });
});
