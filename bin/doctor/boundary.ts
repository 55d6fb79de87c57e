/** Checks the permissions boundary of the roles, without which IAM refuses to create them. */
import type { App } from '../assembly/app.ts';
import type { Account, Caller } from './account.ts';
import type { Finding } from './finding.ts';
import { warnIfUnchecked } from './target.ts';

/** Returns the name of the managed policy that is the permissions boundary of the roles, or undefined without one. */
export function boundaryIn({ resources }: App): string | undefined {
  const boundaries = resources.map(({ properties }) => JSON.stringify(properties.PermissionsBoundary ?? ''));
  return boundaries.map((text) => /:policy\/([\w+=,.@-]+)"/.exec(text)?.[1]).find((name) => name !== undefined);
}

/** @param caller of the account; without it, the account answers no call */
export function checkBoundary(account: Account, caller: Caller | undefined, name: string): Promise<Finding> {
  const check = 'Permissions boundary';
  const [, partition = 'aws'] = caller?.arn.split(':') ?? [];
  return warnIfUnchecked(check, async () => {
    if (await account.hasPolicy(`arn:${partition}:iam::${caller?.account}:policy/${name}`))
      return { check, level: 'ok', found: `Policy ${name} exists.` };
    return {
      check,
      level: 'problem',
      found: `The account has no managed policy ${name}, which the setting \`permissionsBoundary\` names.`,
      needed: 'The policy that limits every role of the stacks; without it, IAM refuses to create the roles.',
      fix: `aws iam create-policy --policy-name ${name} --policy-document file://docs/execution-policy/boundary.json`,
    };
  });
}
