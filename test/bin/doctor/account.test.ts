/** Tests the doctor's calls to AWS over HTTP, in the formats of the AWS services. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Account, createAccount } from '../../../bin/doctor/account.ts';
import { Unanswered } from '../../../bin/doctor/bounded.ts';
import { fault, identity, identityFault, json, policy, role, roleFault, type Stub, startStub } from './stub.ts';

const SECRET = 'the-secret-access-key';
const environment = {
  AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
  AWS_SECRET_ACCESS_KEY: SECRET,
  AWS_EC2_METADATA_DISABLED: 'true',
} as const;
const before = { ...process.env };

let stub: Stub;
let account: Account;

beforeAll(async () => {
  stub = await startStub();
  Object.assign(process.env, environment, { AWS_ENDPOINT_URL: stub.url });
  account = createAccount('eu-west-1', 20_000);
});
afterAll(async () => {
  process.env = before;
  await stub.stop();
});

describe('the caller', () => {
  it('consists of an account and an ARN', async () => {
    stub.answer({ GetCallerIdentity: () => identity('123456789012', 'arn:aws:iam::123456789012:user/ada') });
    expect(await account.caller()).toEqual({ account: '123456789012', arn: 'arn:aws:iam::123456789012:user/ada' });
  });

  it.each([
    ['ExpiredToken', 'AWS does not accept the credentials'],
    ['InvalidClientTokenId', 'AWS does not accept the credentials'],
    ['AccessDenied', 'The credentials may not call sts:GetCallerIdentity.'],
  ])('is unknown after the answer %s', async (code, sentence) => {
    stub.answer({ GetCallerIdentity: () => identityFault(code) });
    const failure = await account.caller().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Unanswered);
    expect((failure as Error).message).toContain(sentence);
    expect(JSON.stringify([failure, (failure as Error).message])).not.toContain(SECRET);
  });
});

describe('a parameter', () => {
  it('is returned as a string, or as undefined if it does not exist', async () => {
    stub.answer({
      GetParameter: ({ Name = '' }) =>
        Name.startsWith('/cdk-bootstrap/') ? json({ Parameter: { Name, Value: '21' } }) : fault('ParameterNotFound'),
    });
    expect(await account.parameter('/cdk-bootstrap/hnb659fds/version')).toBe('21');
    expect(await account.parameter('/other')).toBeUndefined();
  });

  it('causes an error if the credentials may not read it', async () => {
    stub.answer({ GetParameter: () => fault('AccessDeniedException') });
    await expect(account.parameter('/any')).rejects.toThrow('The credentials may not call ssm:GetParameter.');
  });
});

describe('a role', () => {
  it('is found if it exists', async () => {
    stub.answer({
      GetRole: ({ RoleName = '' }) =>
        RoleName === 'AWSServiceRoleForECS' ? role(RoleName) : roleFault('NoSuchEntity', 404),
    });
    expect(await account.hasRole('AWSServiceRoleForECS')).toBe(true);
    expect(await account.hasRole('Other')).toBe(false);
  });

  it('causes an error if the credentials may not read it', async () => {
    stub.answer({ GetRole: () => roleFault('AccessDenied', 403) });
    await expect(account.hasRole('Any')).rejects.toThrow('The credentials may not call iam:GetRole.');
  });
});

describe('a managed policy', () => {
  const arn = 'arn:aws:iam::123456789012:policy/gpu-endpoints-boundary';

  it('is found by its ARN', async () => {
    stub.answer({
      GetPolicy: ({ PolicyArn = '' }) => (PolicyArn === arn ? policy(arn) : roleFault('NoSuchEntity', 404)),
    });
    expect(await account.hasPolicy(arn)).toBe(true);
    expect(await account.hasPolicy(`${arn}-2`)).toBe(false);
  });

  it('causes an error if the credentials may not read it', async () => {
    stub.answer({ GetPolicy: () => roleFault('AccessDenied', 403) });
    await expect(account.hasPolicy(arn)).rejects.toThrow('The credentials may not call iam:GetPolicy.');
  });
});

describe('a quota', () => {
  it("is the account's value, or the default, or undefined if the quota does not exist", async () => {
    stub.answer({
      GetServiceQuota: ({ ServiceCode, QuotaCode }) =>
        QuotaCode === 'L-DB2E81BA'
          ? json({ Quota: { ServiceCode, QuotaCode, Value: 8.0 } })
          : fault('NoSuchResourceException'),
      GetAWSDefaultServiceQuota: ({ ServiceCode, QuotaCode }) =>
        QuotaCode === 'L-B99A9384'
          ? json({ Quota: { ServiceCode, QuotaCode, Value: 1000.0 } })
          : fault('NoSuchResourceException'),
    });
    expect(await account.quota('ec2', 'L-DB2E81BA')).toBe(8);
    expect(await account.quota('lambda', 'L-B99A9384')).toBe(1000);
    expect(await account.quota('ec2', 'L-00000000')).toBeUndefined();
  });

  it('causes an error if AWS does not answer within the limit', async () => {
    stub.answer({});
    const impatient = createAccount('eu-west-1', 300);
    await expect(impatient.quota('lambda', 'L-B99A9384')).rejects.toThrow(/servicequotas:GetServiceQuota .*0\.3 s/);
  });
});
