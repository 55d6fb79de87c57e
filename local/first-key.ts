/** The first API key of a state directory, with which clients call the interfaces of the service. */
import { execFile } from 'node:child_process';
import { type AwsEnvironment, OPERATOR } from './account.ts';
import { LocalError } from './local-error.ts';
import type { StateDirectory } from './state/state-directory.ts';

/** File of the key. It is separate, because the outputs exist only while the service is ready. */
const FILE = 'first-key.json';

export interface FirstKeyOptions {
  /** Folder in which the command runs. */
  readonly folder: string;
  /** Arguments of Node.js for a command that creates the key as an operator would, and prints it as JSON. */
  readonly command: readonly string[];
  /** Returns the environment in which the command calls AWS. */
  readonly awsEnvironment: AwsEnvironment;
  /** More environment variables of the command. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Removes the user's own AWS variables. An endpoint of a single service in them would override the proxy's address. */
const withoutAws = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('AWS_')));

function createKey({ folder, command, awsEnvironment, variables }: FirstKeyOptions): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const env = { ...withoutAws(process.env), ...awsEnvironment(OPERATOR, 'first-key'), ...variables };
  execFile(process.execPath, [...command], { cwd: folder, env }, (error, stdout, stderr) => {
    if (error) reject(new LocalError(`The first API key could not be created: ${stderr.trim()}`));
    else resolve((JSON.parse(stdout) as { secret: string }).secret);
  });
  return promise;
}

/** Returns the secret of the first key, which is created only one time for a state directory. */
export async function firstKey(state: StateDirectory, options: FirstKeyOptions): Promise<string> {
  const known = state.readJson<{ secret: string }>(FILE);
  if (known) return known.secret;
  const secret = await createKey(options);
  state.writeJson(FILE, { secret });
  return secret;
}
