/** Tests the doctor's calls to AWS over HTTP, in the formats of the AWS services. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Account, createAccount } from '../../../bin/doctor/account.ts';
import { bounded, CallFailed } from '../../../bin/doctor/bounded.ts';
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
    expect(failure).toBeInstanceOf(CallFailed);
    expect((failure as Error).message).toContain(sentence);
    expect(JSON.stringify([failure, (failure as Error).message])).not.toContain(SECRET);
  });
});

describe('a call that AWS does not receive', () => {
  /** Calls `sts:GetCallerIdentity` with these variables, and returns the message of the error. */
  async function failure(variables: Readonly<Record<string, string>>): Promise<string> {
    const { AWS_ACCESS_KEY_ID: _id, AWS_SECRET_ACCESS_KEY: _secret, ...others } = process.env;
    const saved = process.env;
    process.env = { ...others, ...variables };
    try {
      const error: unknown = await createAccount('eu-west-1', 20_000)
        .caller()
        .catch((failed: unknown) => failed);
      expect(error).toBeInstanceOf(CallFailed);
      return (error as Error).message;
    } finally {
      process.env = saved;
    }
  }

  it('fails with the code of the network error', async () => {
    // Nothing listens on port 9 of this machine.
    const unreachable = { ...environment, AWS_ENDPOINT_URL: 'http://127.0.0.1:9' };
    expect(await failure(unreachable)).toBe('sts:GetCallerIdentity failed: ECONNREFUSED.');
  });

  it('fails with what to do if the session of the profile has expired, or no credentials are set', async () => {
    const home = mkdtempSync(join(tmpdir(), 'gpu-endpoints-account-'));
    const session = ['sso_session = work', 'sso_account_id = 123456789012', 'sso_role_name = dev'];
    const work = ['[sso-session work]', 'sso_start_url = https://example.com/start', 'sso_region = eu-west-1'];
    writeFileSync(join(home, 'config'), ['[profile sso]', ...session, ...work, ''].join('\n'));
    const files = {
      HOME: home,
      AWS_CONFIG_FILE: join(home, 'config'),
      AWS_SHARED_CREDENTIALS_FILE: join(home, 'none'),
    };
    const sentence = 'The AWS credentials could not be loaded: run `aws sso login`, or set AWS_PROFILE.';
    expect(await failure({ ...files, AWS_PROFILE: 'sso' })).toBe(sentence);
    expect(await failure(files)).toBe(sentence);
    rmSync(home, { recursive: true });
  });
});

describe('a failed call', () => {
  it('is not taken for missing credentials because its message has the word', async () => {
    const denied = Object.assign(new Error('The proxy wants credentials.'), { code: 'EPROXY' });
    await expect(bounded('sts:GetCallerIdentity', 20_000, () => Promise.reject(denied))).rejects.toThrow(
      'sts:GetCallerIdentity failed: EPROXY.',
    );
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
