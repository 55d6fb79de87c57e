/**
 * `npm run stacks`: lists the deployed stacks and the stacks that Git declares. For each difference it prints the
 * commands that remove it.
 */
import { deployedStacks } from './doctor/deployed.ts';
import { regionOf } from './doctor/outside.ts';
import { readFlags, runCommand } from './flags.ts';
import { type ComparedStack, compareStacks, type State } from './stacks/compare.ts';
import { contextFrom, contextOption } from './synthesized/context.ts';
import { synthesize } from './synthesized/synthesize.ts';

const HELP = `Usage: npm run stacks -- [options]

Lists the deployed stacks of this service and those that this repository declares for one deployment. A stack that
is deployed but not declared, such as that of an endpoint whose file was deleted, still serves requests and is
charged. The command prints how to remove it, and exits with 1. It changes nothing.

  -c, --context NAME=VALUE   a setting as for cdk, such as -c deployment=NAME or -c environment=NAME; repeatable
  --json                     print only JSON
  --help                     print this help

The command calls the AWS action cloudformation:DescribeStacks, in the Region of the environment or the profile. It
recognizes stacks of this service by their descriptions, and stacks of a deployment by the prefix of their names.

Examples:
  npm run stacks
  npm run stacks -- -c deployment=test --json
`;

/** Time limit of all AWS calls in total, in milliseconds. */
const LIMIT = 60_000;
const WIDTH = Math.max(
  ...(['not deployed', 'being deleted', 'other deployment', 'earlier version'] satisfies State[]).map((s) => s.length),
);

const lines = ({ name, state, status, fix = [] }: ComparedStack) => [
  `${state.padEnd(WIDTH)}   ${name}${status ? `: ${status}` : ''}`,
  ...fix.map((command) => `${' '.repeat(WIDTH + 3)}${state === 'not deployed' ? 'deploy' : 'remove'}: ${command}`),
];

function summary(stacks: readonly ComparedStack[]): string {
  const count = (wanted: State) => stacks.filter(({ state }) => state === wanted).length;
  return `\n${count('declared')} stacks are declared and deployed, ${count('not deployed')} are not deployed, ${count('not declared')} are not declared.`;
}

async function main(): Promise<void> {
  const flag = { type: 'boolean', default: false } as const;
  const values = readFlags('stacks', { ...contextOption, json: flag, help: flag }, process.argv.slice(2));
  if (values.help) return void console.log(HELP);
  const context = contextFrom(values.context);
  const region = await regionOf(process.env);
  if (!region) throw new Error('No Region is set: export AWS_REGION=us-east-1, or aws configure set region us-east-1.');
  // Call AWS first: if AWS refuses, the user does not have to wait for the synthesis.
  const deployed = await deployedStacks(region, LIMIT);
  const { deployment } = await synthesize(context);
  if (deployment.place && deployment.place.region !== region)
    throw new Error(
      `The stacks are declared for ${deployment.place.region}, but the Region is ${region}: export AWS_REGION=${deployment.place.region}.`,
    );
  const stacks = compareStacks(deployment.stacks, deployed, region, context);
  if (values.json) console.log(JSON.stringify(stacks, undefined, 2));
  else console.log([...stacks.flatMap(lines), summary(stacks)].join('\n'));
  if (stacks.some(({ state }) => state === 'not declared')) process.exitCode = 1;
}

runCommand(main);
