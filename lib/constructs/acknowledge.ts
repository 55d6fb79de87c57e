/** Acknowledges intended findings of the AWS Solutions rules, each with its reason: `lib/deployment/checks.ts`. */
import { Stack, Token, Validations } from 'aws-cdk-lib';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import { roleOf } from './grantee.ts';

/**
 * Returns a finding in the notation of cdk-nag: the account and Region of the stack replace the pseudo parameters, if
 * they are known at synthesis.
 */
function shownOf(construct: IConstruct, finding: string): string {
  const { partition, region, account } = Stack.of(construct);
  const values = { '<AWS::Partition>': partition, '<AWS::Region>': region, '<AWS::AccountId>': account };
  const known = Object.entries(values).filter(([, value]) => !Token.isUnresolved(value));
  return known.reduce((text, [parameter, value]) => text.replaceAll(parameter, value), finding);
}

/**
 * Acknowledges findings of a construct.
 * @param findings reasons by rule, such as `SQS3`, or by finding, such as `IAM5[Resource::*]`
 */
export function acknowledge(construct: IConstruct, findings: Readonly<Record<string, string>>): void {
  for (const [finding, reason] of Object.entries(findings))
    Validations.of(construct).acknowledge({ id: `AwsSolutions-${shownOf(construct, finding)}`, reason });
}

/**
 * Acknowledges the findings that a grant causes, at the role that receives it. Acknowledging them for the whole app
 * would also excuse other roles, and would visit the whole tree each time.
 */
export function acknowledgeGrant(grantee: IGrantable, findings: Readonly<Record<string, string>>): void {
  acknowledge(roleOf(grantee), findings);
}
