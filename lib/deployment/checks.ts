/** Checks the AWS Solutions rules at every synthesis. Apart from constructs: commands that read settings need no rules. */
import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';

/** Makes `synth` fail on every finding that is not acknowledged. */
export function addChecks(app: App): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}
