import { describe, expect, it } from '@jest/globals';
import { appOf } from '../../../bin/assembly/app.ts';
import { type Account, silent } from '../../../bin/doctor/account.ts';
import { boundaryIn, checkBoundary } from '../../../bin/doctor/boundary.ts';
import { CallFailed } from '../../../bin/doctor/bounded.ts';
import { synthesizeWith } from '../../lib/synthesis.ts';

const NAME = 'gpu-endpoints-boundary';
const caller = { account: '123456789012', arn: 'arn:aws:iam::123456789012:user/ada' };

const accountWith = (hasPolicy: Account['hasPolicy']): Account => ({ ...silent('Not called.'), hasPolicy });

const appWith = (settings: object) => {
  const stacks = Object.entries(synthesizeWith(settings));
  return appOf(Object.fromEntries(stacks.map(([id, { template }]) => [id, template.toJSON()])));
};

describe('the check of the permissions boundary', () => {
  it('takes its name from the roles of the stacks', () => {
    expect(boundaryIn(appWith({ permissionsBoundary: NAME }))).toBe(NAME);
    expect(boundaryIn(appWith({}))).toBeUndefined();
  });

  it("asks for the policy in the account and the partition of the caller's credentials", async () => {
    const asked: string[] = [];
    const account = accountWith((arn) => {
      asked.push(arn);
      return Promise.resolve(true);
    });
    const inChina = { account: '123456789012', arn: 'arn:aws-cn:iam::123456789012:user/ada' };
    expect(await checkBoundary(account, caller, NAME)).toEqual({
      check: 'Permissions boundary',
      level: 'ok',
      found: `Policy ${NAME} exists.`,
    });
    await checkBoundary(account, inChina, NAME);
    expect(asked).toEqual([`arn:aws:iam::123456789012:policy/${NAME}`, `arn:aws-cn:iam::123456789012:policy/${NAME}`]);
  });

  it('finds a missing policy, with the command that creates it', async () => {
    expect(
      await checkBoundary(
        accountWith(() => Promise.resolve(false)),
        caller,
        NAME,
      ),
    ).toMatchObject({
      level: 'problem',
      found: `The account has no managed policy ${NAME}, which the setting \`permissionsBoundary\` names.`,
      fix: `aws iam create-policy --policy-name ${NAME} --policy-document file://docs/execution-policy/boundary.json`,
    });
  });

  it('warns if the credentials may not read the policy', async () => {
    const refused = accountWith(() => Promise.reject(new CallFailed('The credentials may not call iam:GetPolicy.')));
    expect(await checkBoundary(refused, caller, NAME)).toMatchObject({
      level: 'warning',
      found: 'Not checked. The credentials may not call iam:GetPolicy.',
    });
  });
});
