/**
 * `gpu-endpoints stacks`: lists the deployed stacks and the stacks that Git declares. For each difference it prints the
 * commands that remove it. It also lists fields of deployed templates that differ from their files.
 */
import { createDocumentClient } from '../aws/clients.ts';
import { createTemplates } from '../aws/templates/templates.ts';
import { systemClock } from '../core/clock.ts';
import { settingsOf } from './assembly/context.ts';
import { synthesize } from './assembly/synthesize.ts';
import { printJson } from './client/print.ts';
import { bounded } from './doctor/bounded.ts';
import { deployedStacks } from './doctor/deployed.ts';
import { regionOf } from './doctor/region.ts';
import type { StacksFlags } from './repository/options.ts';
import { type ComparedStack, compareStacks, type State } from './stacks/compare.ts';
import { type DriftedField, driftedFields, driftLines, takeBackAll } from './stacks/drift.ts';

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

/** Prints the stacks and the drift of templates. Sets the exit code. */
export async function stacks({ takeBack = false, json, ...flags }: StacksFlags): Promise<void> {
  const context = settingsOf(flags);
  const region = await regionOf(process.env);
  if (!region) throw new Error('No Region is set: export AWS_REGION=us-east-1, or aws configure set region us-east-1.');
  // Call AWS first: if AWS refuses, the user does not have to wait for the synthesis.
  const deployed = await deployedStacks(region, LIMIT);
  const { deployment } = await synthesize(context);
  if (deployment.place && deployment.place.region !== region)
    throw new Error(
      `The stacks are declared for ${deployment.place.region}, but the Region is ${region}: export AWS_REGION=${deployment.place.region}.`,
    );
  const compared = compareStacks(deployment.stacks, deployed, region, context);
  const platform = deployment.stacks.find(({ id }) => id === 'Platform')?.name;
  process.env.AWS_REGION = region;
  const table = deployed.find(({ name }) => name === platform)?.outputs.TemplatesTable;
  const drift = await driftOf(table, takeBack);
  if (json) printJson({ stacks: compared, drift });
  else console.log([...compared.flatMap(lines), summary(compared), ...driftLines(drift, takeBack)].join('\n'));
  const isDrifted = drift.length > 0 && !takeBack;
  if (isDrifted || compared.some(({ state }) => state === 'not declared')) process.exitCode = 1;
}
