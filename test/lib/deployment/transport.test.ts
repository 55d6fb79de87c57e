/** Tests which connections to the interfaces and to the stores of client data AWS refuses. */
import { describe, expect, it } from '@jest/globals';
import { declare, stackOf, synthesize } from '../synthesis.ts';

const stacks = synthesize(declare('echo'));
const everywhere = Object.values(stacks).map(({ template }) => template);

/** Returns the logical ids of all resources of a type. */
const named = (type: string): string[] => everywhere.flatMap((template) => Object.keys(template.findResources(type)));

interface Statement {
  readonly Effect: string;
  readonly Principal?: unknown;
  readonly Action: unknown;
  readonly Condition?: unknown;
}

const refusesPlainText = ({ Effect, Principal, Action, Condition }: Statement, service: string) =>
  Effect === 'Deny' &&
  JSON.stringify(Principal) === '{"AWS":"*"}' &&
  Action === `${service}:*` &&
  JSON.stringify(Condition) === '{"Bool":{"aws:SecureTransport":"false"}}';

describe('the interfaces', () => {
  it('refuse TLS below 1.2, TLS 1.2 without forward secrecy, and a `Host` that the TLS handshake did not name', () => {
    const { template } = stackOf(stacks, 'Platform');
    template.resourceCountIs('AWS::ApiGateway::RestApi', 2);
    template.allResourcesProperties('AWS::ApiGateway::RestApi', {
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
      EndpointAccessMode: 'STRICT',
    });
  });
});

describe.each([
  ['queue', 'AWS::SQS::Queue', 'AWS::SQS::QueuePolicy', 'sqs'],
  ['bucket', 'AWS::S3::Bucket', 'AWS::S3::BucketPolicy', 's3'],
])('each %s', (_, type, policy, service) => {
  it('refuses requests without TLS', () => {
    const guarded = everywhere
      .flatMap((template) => Object.values(template.findResources(policy)))
      .filter(({ Properties }) =>
        Properties.PolicyDocument.Statement.some((statement: Statement) => refusesPlainText(statement, service)),
      )
      .flatMap(({ Properties }) => Properties.Queues ?? [Properties.Bucket])
      .map(({ Ref }) => Ref);
    expect(named(type).length).toBeGreaterThan(0);
    expect(new Set(guarded)).toEqual(new Set(named(type)));
  });
});
