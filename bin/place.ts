/** Finds the deployment that a command uses: one in AWS, or that of `npm start`. */
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
  /**
   * Name of the deployment.
   * @default - the only one in the outputs file
   */
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
  /** Only in the outputs of `npm start`: the environment with which the SDK calls the emulators. */
  readonly AwsEnvironment?: Readonly<Record<string, string>>;
}

/** Returns the path of the outputs file of `npm start`. */
const localOutputs = () => join(process.env.LOCAL_STATE_DIR || '.local', OUTPUTS);
const LOCAL_REMEDY = 'run `npm start` in another terminal';

/** Replaces all AWS variables, because an address or a profile of the user would override those of `npm start`. */
function useEnvironment(environment: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  Object.assign(process.env, environment);
}

const deploymentOf = ([, { Deployment }]: readonly [string, Outputs]) => Deployment;

/**
 * Returns the outputs of the only stack that has at least one of these outputs. The names of stacks differ between
 * deployments; the names of outputs do not.
 * @throws UsageError if no deployment or several have such outputs
 */
function findOutputs(file: string, names: readonly Output[], deployment: string | undefined, remedy: string): Outputs {
  if (!existsSync(file)) throw new UsageError(`${file} does not exist: ${remedy}.`);
  const stacks = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, Outputs>>);
  const having = stacks.filter(([, outputs]) => names.some((name) => outputs[name]));
  const fitting = having.filter((stack) => deployment === undefined || deploymentOf(stack) === deployment);
  const [found, ...others] = fitting;
  const known = having.map(deploymentOf).join(', ');
  if (others.length > 0)
    throw new UsageError(`${file} has outputs of several deployments, ${known}: choose one with --deployment.`);
  if (found) return found[1];
  if (having.length > 0)
    throw new UsageError(`${file} has no outputs of the deployment ${deployment}, only of ${known}.`);
  throw new UsageError(`${file} has no output ${names.join(', ')}: ${remedy}.`);
}

/**
 * Returns the deployment's outputs with these names. Directs later AWS calls to that deployment.
 * @throws UsageError, which states what to do
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
 * @param output name of the output that contains the table's name
 * @throws UsageError, which states what to do
 */
export function tableOf({ table, ...place }: Place, output: Output): string {
  return table || outputsOf(place, [output], ', or set --table')[output];
}

/**
 * Returns the name of the deployment: that of `npm start`, --deployment or the outputs file, or the default name if
 * --outputs is not set and there is no outputs file. Directs later AWS calls to that deployment.
 * @throws UsageError, which states what to do
 */
export function deploymentNameOf(place: Place): string {
  const { deployment, outputs, local } = place;
  if (!local && deployment !== undefined) {
    if (isDeploymentName(deployment)) return deployment;
    throw new UsageError(`--deployment ${deploymentMust}, got ${JSON.stringify(deployment)}.`);
  }
  if (!local && outputs === OUTPUTS && !existsSync(outputs)) {
    console.error(
      `${OUTPUTS} does not exist, so the command uses the deployment ${DEFAULT_DEPLOYMENT}. Set --deployment to use another.`,
    );
    return DEFAULT_DEPLOYMENT;
  }
  return outputsOf(place, ['Deployment'], ', or set --deployment').Deployment;
}
