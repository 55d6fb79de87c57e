/**
 * `npm run stacks`: lists the deployed stacks and the stacks that Git declares. For each difference it prints the
 * commands that remove it. It also lists fields of deployed templates that differ from their files.
 */
import { createDocumentClient } from '../aws/clients.ts';
import { createTemplates } from '../aws/templates/templates.ts';
import { systemClock } from '../core/clock.ts';
import { contextFrom, contextOption } from './assembly/context.ts';
import { synthesize } from './assembly/synthesize.ts';
import { bounded } from './doctor/bounded.ts';
import { deployedStacks } from './doctor/deployed.ts';
import { regionOf } from './doctor/region.ts';
import { printText, readFlags, runCommand } from './flags.ts';
import { type ComparedStack, compareStacks, type State } from './stacks/compare.ts';
import { type DriftedField, driftedFields, driftLines, takeBackAll } from './stacks/drift.ts';

const HELP = `Usage: npm run stacks -- [options]

Lists the deployed stacks of this service and those that this repository declares for one deployment. A stack that
is deployed but not declared, such as that of an endpoint whose file was deleted, still serves requests and is
charged. The command prints how to remove it. It also lists drift: the fields of templates that a client has changed
through the management interface or the console since their file was deployed, with who changed each field and when.
The next deployment that changes the file takes them back. The command exits with 1 if a stack is not declared, or if
there is drift. It changes nothing without --take-back.

  -c, --context NAME=VALUE   a setting as for cdk, such as -c deployment=NAME or -c environment=NAME; repeatable
  --take-back                set all fields with drift to the values of their files, which rolls out new workers, and
                             exit with 0 if no stack is undeclared
  --json                     print only JSON, with the members stacks and drift
  --help                     print this help

The command calls the AWS action cloudformation:DescribeStacks, in the Region of the environment or the profile, and
dynamodb:Query on the templates table. With --take-back, it also calls dynamodb:GetItem and dynamodb:PutItem on this
table. It recognizes stacks of this service by their descriptions, and stacks of a deployment by the prefix of their
names.

Examples:
  npm run stacks
  npm run stacks -- -c deployment=test --json
  npm run stacks -- --take-back
`;

/** Time limit of all AWS calls in total, in milliseconds. */
const LIMIT = 60_000;
const WIDTH = Math.max(
  ...(['not deployed', 'being deleted', 'other deployment'] satisfies State[]).map((s) => s.length),
);

const lines = ({ name, state, status, fix = [] }: ComparedStack) => [
  `${state.padEnd(WIDTH)}   ${name}${status ? `: ${status}` : ''}`,
  ...fix.map((command) => `${' '.repeat(WIDTH + 3)}${state === 'not deployed' ? 'deploy' : 'remove'}: ${command}`),
];

function summary(stacks: readonly ComparedStack[]): string {
  const count = (wanted: State) => stacks.filter(({ state }) => state === wanted).length;
  return `\n${count('declared')} stacks are declared and deployed, ${count('not deployed')} are not deployed, ${count('not declared')} are not declared.`;
}

/**
 * Reads the drift of the deployment, and takes it back if `isTakingBack`.
 * @throws CallFailed
 */
async function driftOf(table: string | undefined, isTakingBack: boolean): Promise<readonly DriftedField[]> {
  // A deployment without the stack Platform has no templates table.
  if (table === undefined) return [];
  const ports = { clock: systemClock, templates: createTemplates(createDocumentClient(), table, systemClock) };
  if (isTakingBack) return bounded('dynamodb:PutItem', LIMIT, () => takeBackAll(ports));
  return bounded('dynamodb:Query', LIMIT, () => driftedFields(ports));
}

async function main(): Promise<void> {
  const flag = { type: 'boolean', default: false } as const;
  const options = { ...contextOption, json: flag, 'take-back': flag, help: flag };
  const values = readFlags('stacks', options, process.argv.slice(2));
  if (values.help) return printText(HELP);
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
  const platform = deployment.stacks.find(({ id }) => id === 'Platform')?.name;
  process.env.AWS_REGION = region;
  const table = deployed.find(({ name }) => name === platform)?.outputs.TemplatesTable;
  const drift = await driftOf(table, values['take-back']);
  if (values.json) console.log(JSON.stringify({ stacks, drift }, undefined, 2));
  else printText([...stacks.flatMap(lines), summary(stacks), ...driftLines(drift, values['take-back'])].join('\n'));
  const isDrifted = drift.length > 0 && !values['take-back'];
  if (isDrifted || stacks.some(({ state }) => state === 'not declared')) process.exitCode = 1;
}

runCommand(main);
