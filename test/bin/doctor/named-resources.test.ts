/** Tests the check of what settings name: certificate, topic, secret, logging role; over answers in AWS's formats. */
import { describe, expect, it } from '@jest/globals';
import { appOf } from '../../../bin/assembly/app.ts';
import type { Finding } from '../../../bin/doctor/finding.ts';
import { checkNamed, namedNeeds } from '../../../bin/doctor/named-resources.ts';
import { synthesizeSet } from '../../lib/deployment/all-settings.ts';
import { synthesize } from '../../lib/synthesis.ts';
import { type Answers, fault, json, topic, topicFault } from './stub.ts';
import { useAccount } from './use-account.ts';

const accountWith = useAccount('eu-west-1');

const CERTIFICATE = 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef';
const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:on-call';
const NOW = Date.parse('2026-11-28');

const issued = {
  Status: 'ISSUED',
  DomainName: 'gpu.example.com',
  SubjectAlternativeNames: ['gpu.example.com'],
  NotAfter: Date.parse('2027-06-01') / 1_000,
};

const healthy: Answers = {
  DescribeCertificate: ({ CertificateArn }) =>
    CertificateArn === CERTIFICATE ? json({ Certificate: issued }) : fault('ResourceNotFoundException'),
  GetTopicAttributes: ({ TopicArn = '' }) =>
    TopicArn === TOPIC ? topic({ TopicArn, SubscriptionsConfirmed: '2' }) : topicFault('NotFound', 404),
  DescribeSecret: ({ SecretId }) =>
    SecretId === 'console/oidc' ? json({ Name: SecretId }) : fault('ResourceNotFoundException'),
  GetAccount: () => json({ cloudwatchRoleArn: 'arn:aws:iam::123456789012:role/Logs' }),
};

const needsOf = (stacks: ReturnType<typeof synthesize>) =>
  namedNeeds(appOf(Object.fromEntries(Object.entries(stacks).map(([id, { template }]) => [id, template.toJSON()]))));

/** Every setting is set. */
const needs = needsOf(synthesizeSet('all settings'));

const findingsOf = (answers: Answers, region = 'eu-west-1'): Promise<Finding[]> => {
  const caller = 'arn:aws:iam::123456789012:user/ada';
  return Promise.all(checkNamed(accountWith({ ...healthy, ...answers }), needs, { region, caller, now: NOW }));
};

async function findingOf(check: string, answers: Answers, region?: string): Promise<Finding | undefined> {
  return (await findingsOf(answers, region)).find((finding) => finding.check === check);
}

const certificate = (differences: object): Answers => ({
  DescribeCertificate: () => json({ Certificate: { ...issued, ...differences } }),
});

describe('the check of named resources', () => {
  it('accepts resources that exist', async () => {
    expect(await findingsOf({})).toEqual([
      { check: 'Certificate of the domain', level: 'ok', found: 'Issued for gpu.example.com, until 2027-06-01.' },
      { check: 'Topic of the alarms', level: 'ok', found: 'on-call has 2 confirmed subscriptions.' },
      { check: 'Secret console/oidc', level: 'ok', found: 'The secret console/oidc exists.' },
      { check: 'Logging role of API Gateway', level: 'ok', found: 'arn:aws:iam::123456789012:role/Logs.' },
    ]);
  });

  it('checks nothing without these settings', () => {
    expect(needsOf(synthesize())).toEqual({ certificate: undefined, topic: undefined, secrets: [], logged: [] });
  });

  it('does not read a secret', async () => {
    const asked: unknown[] = [];
    await findingsOf({
      DescribeSecret: (members) => {
        asked.push(members);
        return json({ Name: 'console/oidc' });
      },
      GetSecretValue: () => {
        throw new Error('The doctor read the secret.');
      },
    });
    expect(asked).toEqual([{ SecretId: 'console/oidc' }]);
  });

  it.each<[string, Answers, string, string]>([
    [
      'does not exist',
      { DescribeCertificate: () => fault('ResourceNotFoundException') },
      `ACM has no certificate ${CERTIFICATE}.`,
      'aws acm request-certificate --region us-east-1 --domain-name gpu.example.com --validation-method DNS',
    ],
    [
      'waits for validation',
      certificate({ Status: 'PENDING_VALIDATION', NotAfter: undefined }),
      `The certificate ${CERTIFICATE} waits for its DNS record.`,
      `aws acm describe-certificate --region us-east-1 --certificate-arn ${CERTIFICATE}; add the record`,
    ],
    [
      'was revoked',
      certificate({ Status: 'REVOKED' }),
      `The certificate ${CERTIFICATE} has the status REVOKED.`,
      'aws acm request-certificate',
    ],
    [
      'has expired',
      certificate({ NotAfter: NOW / 1_000 - 1 }),
      `The certificate ${CERTIFICATE} expired on 2026-11-27.`,
      'aws acm request-certificate',
    ],
    [
      'is for other names',
      certificate({ DomainName: 'example.com', SubjectAlternativeNames: ['example.com', '*.gpu.example.com'] }),
      `The certificate ${CERTIFICATE} is for example.com, *.gpu.example.com, and not for gpu.example.com.`,
      'aws acm request-certificate',
    ],
  ])('refuses a certificate that %s', async (_, answers, found, fix) => {
    expect(await findingOf('Certificate of the domain', answers)).toEqual({
      check: 'Certificate of the domain',
      level: 'problem',
      found,
      needed:
        'A certificate of this account in us-east-1 with the status ISSUED for gpu.example.com; CloudFront refuses any other certificate, and the stack with the distribution fails.',
      fix: expect.stringContaining(fix),
    });
  });

  it('names what ACM does not return', async () => {
    const status = certificate({ Status: undefined, DomainName: undefined, SubjectAlternativeNames: undefined });
    expect(await findingOf('Certificate of the domain', status)).toMatchObject({
      found: `The certificate ${CERTIFICATE} has the status unknown.`,
    });
    const names = certificate({ DomainName: undefined, SubjectAlternativeNames: ['', 'a.example.com'] });
    expect(await findingOf('Certificate of the domain', names)).toMatchObject({
      found: `The certificate ${CERTIFICATE} is for a.example.com, and not for gpu.example.com.`,
    });
  });

  it('accepts a wildcard, and warns of a certificate that ACM does not renew', async () => {
    const wildcard = { DomainName: '*.example.com', SubjectAlternativeNames: ['*.example.com'] };
    expect(await findingOf('Certificate of the domain', certificate(wildcard))).toMatchObject({ level: 'ok' });
    const late = certificate({ NotAfter: Date.parse('2026-12-10') / 1_000 });
    expect(await findingOf('Certificate of the domain', late)).toMatchObject({
      level: 'warning',
      found: 'Issued for gpu.example.com, until 2026-12-10.',
      needed: expect.stringContaining('After the expiry, clients cannot connect.'),
      fix: expect.stringContaining('RenewalSummary'),
    });
  });

  it('warns of a topic that does not exist or sends no notifications, and refuses a topic of another Region', async () => {
    const check = 'Topic of the alarms';
    expect(await findingOf(check, { GetTopicAttributes: () => topicFault('NotFound', 404) })).toMatchObject({
      level: 'warning',
      found: `There is no topic ${TOPIC}.`,
      fix: expect.stringContaining('aws sns create-topic --region eu-west-1 --name on-call; aws sns subscribe'),
    });
    const one = { GetTopicAttributes: () => topic({ SubscriptionsConfirmed: '1' }) };
    expect((await findingOf(check, one))?.found).toBe('on-call has 1 confirmed subscription.');
    const lonely = { GetTopicAttributes: () => topic({ SubscriptionsConfirmed: '0', SubscriptionsPending: '1' }) };
    expect(await findingOf(check, lonely)).toMatchObject({
      level: 'warning',
      found: `The topic ${TOPIC} has no confirmed subscription.`,
      fix: expect.stringContaining(`aws sns subscribe --region eu-west-1 --topic-arn ${TOPIC}`),
    });
    expect(await findingOf(check, {}, 'eu-west-2')).toMatchObject({
      level: 'problem',
      found: `The topic ${TOPIC} is in eu-west-1, and the alarms are in eu-west-2.`,
    });
    expect(await findingOf(check, { GetTopicAttributes: () => topicFault('AuthorizationError', 403) })).toMatchObject({
      level: 'warning',
      found: 'Not checked. The credentials may not call sns:GetTopicAttributes.',
    });
  });

  it('refuses a secret that does not exist or is scheduled for deletion', async () => {
    const check = 'Secret console/oidc';
    expect(await findingOf(check, { DescribeSecret: () => fault('ResourceNotFoundException') })).toMatchObject({
      level: 'problem',
      found: 'There is no secret console/oidc in eu-west-1.',
      fix: 'aws secretsmanager create-secret --region eu-west-1 --name console/oidc --secret-string file://FILE',
    });
    const deleted = { DescribeSecret: () => json({ Name: 'console/oidc', DeletedDate: 1_700_000_000 }) };
    expect(await findingOf(check, deleted)).toMatchObject({
      level: 'problem',
      found: 'The secret console/oidc is scheduled for deletion.',
      fix: 'aws secretsmanager restore-secret --region eu-west-1 --secret-id console/oidc',
    });
  });

  it('requires the logging role of API Gateway, with the commands that create it', async () => {
    expect(await findingOf('Logging role of API Gateway', { GetAccount: () => json({}) })).toMatchObject({
      level: 'problem',
      found: 'API Gateway has no role in eu-west-1 with which it writes logs.',
      needed:
        'The role, because `accessLogDays` is set; without it, API Gateway refuses the stages of Platform and Management.',
      fix: expect.stringMatching(
        /^aws iam create-role .* && aws iam attach-role-policy .* && aws apigateway update-account --region eu-west-1 .*value=arn:aws:iam::123456789012:role\/ApiGatewayLogs$/,
      ),
    });
  });
});
