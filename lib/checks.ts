/** The AWS Solutions rules, checked at every synth; what they find and we mean to have is acknowledged with its reason. */
import { type App, Validations } from 'aws-cdk-lib';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { roleOf } from './client.ts';

/** Makes `synth` fail on every finding that nobody has acknowledged. */
export function addChecks(app: App): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}

/** @param findings reasons by rule, such as `SQS3`, or by finding, such as `IAM5[Resource::*]` */
export function acknowledge(construct: IConstruct, findings: Readonly<Record<string, string>>): void {
  for (const [finding, reason] of Object.entries(findings))
    Validations.of(construct).acknowledge({ id: `AwsSolutions-${finding}`, reason });
}

/**
 * Acknowledges what is found because of a grant: with the role that has it, wherever that is. To do so with the whole app
 * would excuse other roles too, and each time visit all that the app has.
 */
export function acknowledgeGrant(grantee: IGrantable, findings: Readonly<Record<string, string>>): void {
  acknowledge(roleOf(grantee), findings);
}
