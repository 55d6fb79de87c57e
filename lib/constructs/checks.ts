/** The AWS Solutions rules, checked at every synth; what they find and we mean to have is acknowledged with its reason. */
import { type App, Stack, Token, Validations } from 'aws-cdk-lib';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { roleOf } from './client.ts';

/** Makes `synth` fail on every finding that nobody has acknowledged. */
export function addChecks(app: App): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}

/** A finding as it is shown of a stack that has an account and a Region: with them in place of the pseudo parameters. */
function shownOf(construct: IConstruct, finding: string): string {
  const { partition, region, account } = Stack.of(construct);
  const values = { '<AWS::Partition>': partition, '<AWS::Region>': region, '<AWS::AccountId>': account };
  const known = Object.entries(values).filter(([, value]) => !Token.isUnresolved(value));
  return known.reduce((text, [parameter, value]) => text.replaceAll(parameter, value), finding);
}

/** @param findings reasons by rule, such as `SQS3`, or by finding, such as `IAM5[Resource::*]` */
export function acknowledge(construct: IConstruct, findings: Readonly<Record<string, string>>): void {
  for (const [finding, reason] of Object.entries(findings))
    Validations.of(construct).acknowledge({ id: `AwsSolutions-${shownOf(construct, finding)}`, reason });
}

/**
 * Acknowledges what is found because of a grant: with the role that has it, wherever that is. To do so with the whole app
 * would excuse other roles too, and each time visit all that the app has.
 */
export function acknowledgeGrant(grantee: IGrantable, findings: Readonly<Record<string, string>>): void {
  acknowledge(roleOf(grantee), findings);
}
