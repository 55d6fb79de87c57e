/** `npm run doctor`: checks whether a first deployment would succeed, and says what to do if not. */
import { parseArgs } from 'node:util';
import { examine } from './doctor/examine.ts';
import type { Finding } from './doctor/finding.ts';
import { outsideOf } from './doctor/outside.ts';
import { contextFrom, contextOption } from './synthesized/context.ts';

const HELP = `Usage: npm run doctor -- [options]

Checks the needs of a deployment, on this machine and in the AWS account: Node, the CDK command, the stacks, the Region,
credentials, a container engine, the CDK bootstrap, whether the names of the stacks are free, the service-linked role of
ECS, and the quotas that the declared endpoints need. Changes nothing.
Without credentials it checks what it can. Each line is ok, a warning or a problem; it ends with 1 if there is a problem.

  -c, --context NAME=VALUE   a setting, as for cdk: -c deployment=NAME, -c environment=NAME; may be repeated
  --json                     print JSON and nothing else
  --help                     print this

It calls these AWS actions: sts:GetCallerIdentity, ssm:GetParameter, cloudformation:DescribeStacks, iam:GetRole,
servicequotas:GetServiceQuota and servicequotas:GetAWSDefaultServiceQuota.
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
  const { values } = parseArgs({
    options: { ...contextOption, json: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  });
  if (values.help) return void console.log(HELP);
  const findings = await examine(await outsideOf(process.env, contextFrom(values.context)));
  if (values.json) console.log(JSON.stringify(findings, undefined, 2));
  else console.log([...findings.map(textOf), summary(findings)].join('\n'));
  if (findings.some(({ level }) => level === 'problem')) process.exitCode = 1;
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
