/** Describes `gpu-endpoints validate`, `doctor` and `stacks`, which check the repository and what is deployed. */
import type { Command } from 'commander';
import { ofStacks, type RepositoryFlags, type StacksFlags } from './options.ts';

export function addValidate(program: Command): void {
  ofStacks(
    program.command('validate').description('check the declarations and the stacks that they make'),
    'validate --env prod',
    `Checks the files in endpoints/, capacity/, templates/ and environments/, the stacks that they make, CDK's
validation and the AWS Solutions rules, and the limits of CloudFormation and IAM. Prints the largest stacks beside
these limits and the fields of endpoints that the environment overrides, and exits with 1 if something is invalid.
Takes less than a minute, and needs neither an AWS account nor a container engine. A deployment from Git runs this
command.`,
  ).action(async (flags: RepositoryFlags) => {
    const { validate } = await import('../validate.ts');
    await validate(flags);
  });
}

export function addDoctor(program: Command): void {
  ofStacks(
    program.command('doctor').description('check what a deployment needs: tools, credentials, quotas, roles'),
    'doctor --env prod',
    `Checks whether this machine and the AWS account are ready for a deployment: Node, the CDK command, the stacks,
the Region, credentials, a container engine, the CDK bootstrap, whether the names of the stacks are free, the
service-linked role of ECS, the policy that the setting permissionsBoundary names, whether API Gateway and
CloudFront support the zones of the ingress, the certificate, topic and secret that settings name, the role that
accessLogDays needs, and the quotas that the network and the declared endpoints need. Changes nothing. Without
credentials, only the checks of this machine run. Each line is ok, a warning or a problem. The exit code is 1 if
there is a problem.

The command calls these AWS actions: sts:GetCallerIdentity, ssm:GetParameter, cloudformation:DescribeStacks,
iam:GetRole, iam:GetPolicy, servicequotas:GetServiceQuota, servicequotas:GetAWSDefaultServiceQuota,
ec2:DescribeAvailabilityZones, ec2:DescribeSubnets, ec2:DescribeVpcs and ec2:DescribeAddresses; with the settings
domain, alarms, identityProvider and accessLogDays also acm:DescribeCertificate, sns:GetTopicAttributes,
secretsmanager:DescribeSecret, and apigateway:GET on /account. An action that the credentials may not call is a
warning.`,
  ).action(async (flags: RepositoryFlags) => {
    const { doctor } = await import('../doctor.ts');
    await doctor(flags);
  });
}

export function addStacks(program: Command): void {
  ofStacks(
    program
      .command('stacks')
      .description('compare the deployed stacks with those that the app declares')
      .option('--take-back', 'set all fields with drift to the values of their files, which rolls out new workers'),
    'stacks --env test --json',
    `Lists the deployed stacks of this service and those that this repository declares for one deployment. A stack
that is deployed but not declared, such as that of an endpoint whose file was deleted, still serves requests and is
charged. The command prints how to remove it. It also lists drift: the fields of templates that a client has
changed through the management interface or the console since their file was deployed, with who changed each field
and when. The next deployment that changes the file takes them back. It changes nothing without --take-back.
The command exits with 1 if a stack is not declared, or if there is drift that it does not take back.

The command calls the AWS action cloudformation:DescribeStacks, in the Region of the environment or the profile, and
dynamodb:Query on the templates table. With --take-back, it also calls dynamodb:GetItem and dynamodb:PutItem on this
table. It recognizes stacks of this service by their descriptions, and stacks of a deployment by the prefix of their
names.`,
  ).action(async (flags: StacksFlags) => {
    const { stacks } = await import('../stacks.ts');
    await stacks(flags);
  });
}
