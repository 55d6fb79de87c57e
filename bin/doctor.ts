/**
 * `npm run doctor` and `gpu-endpoints doctor`: checks whether a first deployment would succeed. For each problem, prints
 * how to solve it.
 */

import { contextFrom, contextOption } from './assembly/context.ts';
import { examine } from './doctor/examine.ts';
import type { Finding } from './doctor/finding.ts';
import { outsideOf } from './doctor/outside.ts';
import { printText, readFlags, runCommand } from './flags.ts';

const HELP = `Usage: npm run doctor -- [options]

Checks whether this machine and the AWS account are ready for a deployment: Node, the CDK command, the stacks, the
Region, credentials, a container engine, the CDK bootstrap, whether the names of the stacks are free, the service-linked
role of ECS, the policy that the setting permissionsBoundary names, whether API Gateway and CloudFront support the zones
of the ingress, the certificate, topic and secret that settings name, the role that accessLogDays needs, and the quotas
that the network and the declared endpoints need. Changes nothing. Without credentials, only the checks of this machine
run. Each line is ok, a warning or a problem. The exit code is 1 if there is a problem.

  -c, --context NAME=VALUE   a setting as for cdk, such as -c deployment=NAME or -c environment=NAME; repeatable
  --json                     print only JSON
  --help                     print this help

The command calls these AWS actions: sts:GetCallerIdentity, ssm:GetParameter, cloudformation:DescribeStacks,
iam:GetRole, iam:GetPolicy, servicequotas:GetServiceQuota, servicequotas:GetAWSDefaultServiceQuota,
ec2:DescribeAvailabilityZones, ec2:DescribeSubnets, ec2:DescribeVpcs and ec2:DescribeAddresses; with the settings domain,
alarms, identityProvider and accessLogDays also acm:DescribeCertificate, sns:GetTopicAttributes,
secretsmanager:DescribeSecret, and apigateway:GET on /account. An action that the credentials may not call is a warning.

Examples:
  npm run doctor
  npm run doctor -- -c environment=prod
`;

const indented = (name: string, text: string | undefined) => (text ? [`           ${name}: ${text}`] : []);

const textOf = ({ check, level, found, needed, fix }: Finding) =>
  [`${level.padEnd(8)}   ${check}: ${found}`, ...indented('needed', needed), ...indented('fix', fix)].join('\n');

function summary(findings: readonly Finding[]): string {
  const count = (wanted: Finding['level']) => findings.filter(({ level }) => level === wanted).length;
  const [problems, warnings] = [count('problem'), count('warning')];
  return `\n${problems} problems, ${warnings} warnings.${problems === 0 ? ' Ready to deploy.' : ''}`;
}

async function main(): Promise<void> {
  const flag = { type: 'boolean', default: false } as const;
  const values = readFlags('doctor', { ...contextOption, json: flag, help: flag }, process.argv.slice(2));
  if (values.help) return printText(HELP);
  const findings = await examine(await outsideOf(process.env, contextFrom(values.context)));
  if (values.json) console.log(JSON.stringify(findings, undefined, 2));
  else printText([...findings.map(textOf), summary(findings)].join('\n'));
  if (findings.some(({ level }) => level === 'problem')) process.exitCode = 1;
}

runCommand(main);
