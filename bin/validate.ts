/** `npm run validate` and `gpu-endpoints validate`: checks what a team declares, before it is deployed. */

import { declarationsFolder } from './assembly/app-folder.ts';
import { contextFrom, contextOption } from './assembly/context.ts';
import { type Size, sizesIn } from './assembly/sizes.ts';
import { synthesizeTemplates } from './assembly/synthesize.ts';
import { printText, readFlags, runCommand } from './flags.ts';
import { type Overridden, overriddenIn } from './validate/overridden.ts';

const HELP = `Usage: npm run validate -- [options]

Checks the declarations of this repository: the files in endpoints/, capacity/, templates/ and environments/, the stacks
that they make, CDK's validation and the AWS Solutions rules, and the limits of CloudFormation and IAM. Prints the largest
stacks beside these limits and the fields of endpoints that the environment overrides, and exits with 1 if something is
invalid. Takes less than a minute, and needs neither an AWS account nor a container engine. A deployment from Git runs
this command; the tests of the product are not needed for it.

  -c, --context NAME=VALUE   a setting as for cdk, such as -c environment=NAME; repeatable
  --json                     print only JSON
  --help                     print this help

Examples:
  npm run validate
  npm run validate -- -c environment=prod
`;

/** Share of a limit from which a size is worth a warning. */
const NEAR = 0.9;

/** Returns the largest size of each kind, over all stacks. */
function largestOf(sizes: readonly Size[]): Size[] {
  const kinds = Map.groupBy(sizes, ({ kind }) => kind);
  return [...kinds.values()].flatMap((those) => those.toSorted((one, other) => other.size - one.size).slice(0, 1));
}

const lineOf = ({ stack, what, size, limit }: Size) =>
  `${size > limit ? 'problem ' : size > NEAR * limit ? 'warning ' : 'ok      '}   ${stack}: ${size} ${what}; at most ${limit} are allowed`;

const textOf = (value: unknown) => (value === undefined ? 'no value' : JSON.stringify(value));
const overrideOf = (environment: string, { endpoint, field, ...values }: Overridden) =>
  `${environment}      ${endpoint}: \`${field}\` ${'value' in values ? `is ${textOf(values.value)} instead of ${textOf(values.without)}` : 'is overridden'}`;

async function main(): Promise<void> {
  const flag = { type: 'boolean', default: false } as const;
  const values = readFlags('validate', { ...contextOption, json: flag, help: flag }, process.argv.slice(2));
  if (values.help) return printText(HELP);
  const began = performance.now();
  const context = contextFrom(values.context);
  const sizes = await synthesizeTemplates(context, sizesIn);
  const { environment, fields } = overriddenIn(declarationsFolder(), context);
  const problems = sizes.filter(({ size, limit }) => size > limit);
  const shown = [...new Set([...largestOf(sizes), ...problems])];
  const stacks = new Set(sizes.map(({ stack }) => stack)).size;
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  if (values.json) console.log(JSON.stringify({ stacks, seconds, sizes, overridden: fields }, undefined, 2));
  else {
    console.log([...fields.map((field) => overrideOf(environment, field)), ...shown.map(lineOf)].join('\n'));
    console.log(
      `\n${stacks} stacks, ${problems.length} problems, in ${seconds} s.${problems.length === 0 ? ' The declarations are valid.' : ''}`,
    );
  }
  if (problems.length > 0) process.exitCode = 1;
}

runCommand(main);
