/**
 * Finds the deployment that a command uses: one in AWS, or that of `gpu-endpoints dev`. Each `use...` function also
 * directs the later AWS calls of the process to that deployment: for `dev`, it replaces all variables `AWS_*`.
 */
import { existsSync } from 'node:fs';
import { DEFAULT_DEPLOYMENT, deploymentMust, isDeploymentName } from '../../core/deployment.ts';
import { DEV } from '../environment-name.ts';
import { localOutputs, OUTPUTS, readOutputs } from '../outputs-file.ts';
import { UsageError } from '../usage-error.ts';

export interface DeploymentOptions {
  /**
   * Name of the table.
   * @default - that of the outputs file
   */
  readonly table?: string;
  /** Path of the file that `deploy --outputs-file` wrote. */
  readonly outputs: string;
  /**
   * Name of the deployment.
   * @default - the only one in the outputs file
   */
  readonly deployment?: string;
  /** Whether the command uses the service of `dev`, and its outputs file. */
  readonly local: boolean;
}

type Output =
  | 'DeadlinesTable'
  | 'DeliveriesTable'
  | 'DeliveryMachine'
  | 'Deployment'
  | 'EndpointsTable'
  | 'HistoryDays'
  | 'HistoryTable'
  | 'JobsTable'
  | 'KeysTable'
  | 'SecretsKey'
  | 'SigningTable';

interface Outputs extends Readonly<Partial<Record<Output, string>>> {
  /** Only in the outputs of `dev`: the environment with which the SDK calls the emulators. */
  readonly AwsEnvironment?: Readonly<Record<string, string>>;
}

const LOCAL_REMEDY = `run \`${DEV}\` in another terminal`;

/** Replaces all AWS variables, because an address or a profile of the user would override those of `dev`. */
function useEnvironment(environment: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  Object.assign(process.env, environment);
}

const deploymentOf = ([, { Deployment }]: readonly [string, Outputs]) => Deployment;

/**
 * Returns the outputs of the only stack that has at least one of these outputs. The names of stacks differ between
 * deployments; the names of outputs do not.
 * @throws UsageError if no stack or several have such outputs
 */
function findOutputs(file: string, names: readonly Output[], deployment: string | undefined, remedy: string): Outputs {
  const stacks = readOutputs<Outputs>(file);
  if (!stacks) throw new UsageError(`${file} does not exist: ${remedy}.`);
  const candidates = Object.entries(stacks).filter(([, outputs]) => names.some((name) => outputs[name]));
  const matches = candidates.filter((stack) => deployment === undefined || deploymentOf(stack) === deployment);
  const [match, ...others] = matches;
  if (match && others.length === 0) return match[1];
  const deployments = [...new Set(candidates.map(deploymentOf).filter((name) => name !== undefined))];
  const known = deployments.join(', ');
  if (match && new Set(matches.map(deploymentOf)).size > 1)
    throw new UsageError(`${file} has outputs of several deployments, ${known}: choose one with --deployment.`);
  if (match) {
    const ids = matches.map(([stack]) => stack).join(', ');
    throw new UsageError(
      `${file} has outputs of several stacks of one deployment, ${ids}: delete those of the outdated stacks from the file.`,
    );
  }
  if (candidates.length > 0)
    throw new UsageError(`${file} has no outputs of the deployment ${deployment}${known && `, only of ${known}`}.`);
  throw new UsageError(`${file} has no output ${names.join(', ')}: ${remedy}.`);
}

/**
 * Returns the deployment's outputs with these names, and directs later AWS calls to the deployment.
 * @param alternative another remedy, appended to the error message, such as `, or set --table`
 * @throws UsageError, which states what to do
 */
export function useOutputs<Name extends Output>(
  { outputs, deployment, local }: DeploymentOptions,
  names: readonly Name[],
  alternative = '',
): Record<Name, string> {
  const file = local ? localOutputs() : outputs;
  const remedy = local ? LOCAL_REMEDY : `deploy with --outputs-file ${file}${alternative}`;
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
 * Returns the name of a table, which is --table if it is set, and directs later AWS calls to the deployment.
 * @param output name of the output that contains the table's name
 * @throws UsageError, which states what to do
 */
export function useTable({ table, ...options }: DeploymentOptions, output: Output): string {
  // A table of `dev` exists only in its emulators, so its outputs are read in any case.
  if (table && !options.local) return table;
  const found = useOutputs(options, [output], ', or set --table')[output];
  return table || found;
}

/**
 * Returns the name of the deployment, and directs later AWS calls to it. With `--env local`, this is the deployment of
 * `dev`. Otherwise it is --deployment, then that of the outputs file, then the default name if --outputs is not set and
 * there is no outputs file.
 * @throws UsageError, which states what to do
 */
export function useDeployment(options: DeploymentOptions): string {
  const { deployment, outputs, local } = options;
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
  return useOutputs(options, ['Deployment'], ', or set --deployment').Deployment;
}
