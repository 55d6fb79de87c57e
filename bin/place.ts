/** Which deployment a command is for: a deployed stack, or the one of `npm start`. */
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
  /** Of the local stack: how to call what stands in for AWS. */
  readonly AwsEnvironment?: Readonly<Record<string, string>>;
}

/** Where the local stack says what it is, and what to do if it does not. */
const localOutputs = () => join(process.env.LOCAL_STATE_DIR || '.local', OUTPUTS);
const LOCAL_REMEDY = 'run `npm start` in another terminal';

/** An address or a profile in the user's own environment would win over what the local stack says. */
function useEnvironment(environment: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  Object.assign(process.env, environment);
}

/** A stack of a version without deployments has no output that names one. */
const deploymentOf = ([stack, { Deployment }]: readonly [string, Outputs]) => Deployment ?? stack;

/**
 * The outputs of the one stack that has some of these names: stacks are called otherwise in each deployment, outputs
 * are not.
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
 * The outputs of the deployment with these names. From then on calls to AWS go to it.
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
 * @param output names the table among the outputs
 * @throws UsageError that says what to do
 */
export function tableOf({ table, ...place }: Place, output: Output): string {
  return table || outputsOf(place, [output], ', or say --table')[output];
}

/**
 * The name of the deployment: of the local one, the one that is asked for, or the one of the outputs file. Without such
 * a file it is the default. From then on calls to AWS go to it.
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
  return outputsOf(place, ['Deployment'], ', or say --deployment').Deployment;
}
