/** Grants for secrets in Secrets Manager that get their names at run time. */
import { Stack } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { acknowledgeGrant } from './acknowledge.ts';
import { roleOf } from './grantee.ts';
import { explain, type ReasonOf } from './reasons.ts';

export interface NamedSecrets {
  /** Pattern of their names, such as `gpu-endpoints/env/*`. */
  readonly names: string;
  /** Their name in `docs/reference/permissions.md`. */
  readonly shownAs: string;
  /** Why the names are unknown at synthesis: the beginning of a sentence. */
  readonly unknown: string;
}

/** Lets the grantee use all secrets whose names match the pattern, and no others. */
export function grantSecrets<Action extends string>(
  grantee: IGrantable,
  actions: readonly Action[],
  { names, shownAs, unknown }: NamedSecrets,
  reason: ReasonOf<Action>,
): void {
  const arnIn = (partition: string, region: string, account: string) =>
    `arn:${partition}:secretsmanager:${region}:${account}:secret:${names}`;
  const { partition, region, account } = Stack.of(roleOf(grantee));
  Grant.addToPrincipal({
    grantee,
    actions: actions.map((action) => `secretsmanager:${action}`),
    resourceArns: [arnIn(partition, region, account)],
  }).assertSuccess();
  explain(grantee, 'secretsmanager', actions, shownAs, reason);
  acknowledgeGrant(grantee, {
    [`IAM5[Resource::${arnIn('<AWS::Partition>', '<AWS::Region>', '<AWS::AccountId>')}]`]: `${unknown}; the names of all other secrets of the account differ from the pattern.`,
  });
}
