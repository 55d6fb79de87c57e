/** Options that the commands share which change a deployment with AWS credentials. */
import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { LOCAL } from '../environment-name.ts';
import { withExample } from '../example.ts';
import { localOutputs, OUTPUTS } from '../outputs-file.ts';
import type { DeploymentOptions } from './outputs.ts';

export interface DeploymentFlags {
  readonly env?: string;
  readonly outputs: string;
  readonly deployment?: string;
  readonly table?: string;
  readonly json?: boolean;
}

/**
 * Adds the options that select the deployment, `--json`, and the example.
 * @param notes sentences of the help between the options and the example
 */
export function deploymentCommand(command: Command, example: string, notes = ''): Command {
  const selecting = command
    .option(
      '--env <name>',
      'local for `dev` in this folder, or the deployment of environments/NAME.yaml (default: the outputs file, then local)',
    )
    .addOption(new Option('--deployment <name>', 'the deployment, if the outputs file has several').conflicts('env'))
    .option('--outputs <file>', 'the file that `deploy --outputs-file` has written', OUTPUTS)
    .option('--json', 'print only JSON');
  return withExample(selecting, example, notes);
}

/** Adds `--table`, with which a command needs no outputs file. */
export const withTable = (command: Command, output: string): Command =>
  command.option('--table <table>', `the table to use (default: ${output} of the outputs file)`);

/** Returns whether the options select nothing, and this folder has only the service of `dev`. */
const isOnlyLocal = ({ outputs, deployment, table }: Omit<DeploymentFlags, 'env'>): boolean =>
  deployment === undefined &&
  table === undefined &&
  outputs === OUTPUTS &&
  !existsSync(OUTPUTS) &&
  existsSync(localOutputs());

/**
 * Returns the deployment of the options: without `--env`, that of the outputs file, then `dev` in this folder. For an environment of the repository, AWS is called in its Region.
 * @throws Error if there is no such environment
 */
export async function chosenBy({ env, ...options }: DeploymentFlags): Promise<DeploymentOptions> {
  if (env === undefined && isOnlyLocal(options)) {
    console.error(`${OUTPUTS} does not exist, so the command uses \`dev\` in this folder, as --env local does.`);
    return { ...options, local: true };
  }
  if (env === undefined || env === LOCAL) return { ...options, local: env === LOCAL };
  const { chosenDeployment } = await import('../chosen-deployment.ts');
  const { deployment, env: place } = chosenDeployment({ environment: env });
  if (place) process.env.AWS_REGION = place.region;
  return { ...options, deployment, local: false };
}
