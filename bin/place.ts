/** Finds the deployment of a command: a deployed one, or that of `npm start`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_DEPLOYMENT, deploymentMust, isDeploymentName } from '../core/deployment.ts';
import { UsageError } from './key-arguments.ts';

const OUTPUTS = 'outputs.json';

export const placeOptions = {
  table: { type: 'string' },
  outputs: { type: 'string', default: OUTPUTS },
  deployment: { type: 'string' },
  local: { type: 'boolean', default: false },
} as const;

export interface Place {
  readonly table?: string;
  readonly outputs: string;
  /** Name of the deployment. @default - the only one of the outputs file */
  readonly deployment?: string;
  readonly local: boolean;
}

type Output =
  | 'DeadlinesTable'
  | 'DeliveriesTable'
  | 'DeliveryMachine'
  | 'Deployment'
  | 'EndpointsTable'
  | 'JobsTable'
  | 'KeysTable'
  | 'SecretsKey'
  | 'SigningTable';

interface Outputs extends Readonly<Partial<Record<Output, string>>> {
  /** Of `npm start`: the environment by which the SDK calls the emulators. */
  readonly AwsEnvironment?: Readonly<Record<string, string>>;
}

/** The outputs file of `npm start`, and what to do without it. */
const localOutputs = () => join(process.env.LOCAL_STATE_DIR || '.local', OUTPUTS);
const LOCAL_REMEDY = 'run `npm start` in another terminal';

/** Replaces the AWS variables: an address or a profile of the user would have precedence over those of `npm start`. */
function useEnvironment(environment: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  Object.assign(process.env, environment);
}

/** A stack of a version without deployments has no output that names one. */
const deploymentOf = ([stack, { Deployment }]: readonly [string, Outputs]) => Deployment ?? stack;

/**
 * Returns the outputs of the one stack that has some of these names: each deployment has its own names of stacks, and
 * the same names of outputs.
 * @throws UsageError if several deployments have them, or none
 */
function findOutputs(file: string, names: readonly Output[], deployment: string | undefined, remedy: string): Outputs {
  if (!existsSync(file)) throw new UsageError(`There is no ${file}: ${remedy}.`);
  const stacks = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, Outputs>>);
  const having = stacks.filter(([, outputs]) => names.some((name) => outputs[name]));
  const fitting = having.filter((stack) => deployment === undefined || deploymentOf(stack) === deployment);
  const [found, ...others] = fitting;
  const known = having.map(deploymentOf).join(', ');
  if (others.length > 0)
    throw new UsageError(`${file} has outputs of several deployments, ${known}: choose one with --deployment.`);
  if (found) return found[1];
  if (having.length > 0)
    throw new UsageError(`${file} has no outputs of the deployment ${deployment}, but of ${known}.`);
  throw new UsageError(`${file} has no output ${names.join(', ')}: ${remedy}.`);
}

/**
 * Returns the outputs of the deployment with these names. Later calls to AWS go to that deployment.
 * @throws UsageError that says what to do
 */
export function outputsOf<Name extends Output>(
  { outputs, deployment, local }: Place,
  names: readonly Name[],
  otherwise = '',
): Record<Name, string> {
  const file = local ? localOutputs() : outputs;
  const remedy = local ? LOCAL_REMEDY : `deploy with --outputs-file ${file}${otherwise}`;
  const stack = findOutputs(file, names, deployment, remedy);
  const found = names.map((name) => {
    const value = stack[name];
    if (!value) throw new UsageError(`${file} has no output ${name}: ${remedy}.`);
    return [name, value] as const;
  });
  if (stack.AwsEnvironment) useEnvironment(stack.AwsEnvironment);
  return Object.fromEntries(found) as Record<Name, string>;
}

/**
 * Returns the name of a table.
 * @param output names the table among the outputs
 * @throws UsageError that says what to do
 */
export function tableOf({ table, ...place }: Place, output: Output): string {
  return table || outputsOf(place, [output], ', or name it with --table')[output];
}

/**
 * Returns the name of the deployment: that of `npm start`, that of --deployment, or that of the outputs file. Without
 * such a file it is the default. Later calls to AWS go to that deployment.
 * @throws UsageError that says what to do
 */
export function deploymentNameOf(place: Place): string {
  const { deployment, outputs, local } = place;
  if (!local && deployment !== undefined) {
    if (isDeploymentName(deployment)) return deployment;
    throw new UsageError(`--deployment ${deploymentMust}, got ${JSON.stringify(deployment)}.`);
  }
  if (!local && outputs === OUTPUTS && !existsSync(outputs)) {
    console.error(
      `There is no ${OUTPUTS}, so this is for the deployment ${DEFAULT_DEPLOYMENT}; --deployment names another.`,
    );
    return DEFAULT_DEPLOYMENT;
  }
  return outputsOf(place, ['Deployment'], ', or name it with --deployment').Deployment;
}
