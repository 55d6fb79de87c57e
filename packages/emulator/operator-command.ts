/** Runs commands of the repository as an operator of the deployment would. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type AwsEnvironment, OPERATOR } from './account.ts';

export interface OperatorCommands {
  /** Folder in which commands run. */
  readonly folder: string;
  /** Returns the environment in which commands call AWS. */
  readonly awsEnvironment: AwsEnvironment;
  /** More environment variables. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Removes the user's own AWS variables. An endpoint of a single service in them would override the proxy's address. */
const withoutAws = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('AWS_')));

/**
 * Runs a command.
 * @param command arguments of Node.js
 * @param session name of the command in AWS calls
 * @returns the output of the command
 * @throws Error with the message of the command, if it fails
 */
export async function runAsOperator(
  { folder, awsEnvironment, variables }: OperatorCommands,
  command: readonly string[],
  session: string,
): Promise<string> {
  const env = { ...withoutAws(process.env), ...awsEnvironment(OPERATOR, session), ...variables };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [...command], { cwd: folder, env });
    return stdout;
  } catch (error) {
    throw new Error((error as { stderr?: string }).stderr?.trim() || String(error), { cause: error });
  }
}
