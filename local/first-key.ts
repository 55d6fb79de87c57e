/** The client key that a new state directory comes with, so that there is something to call the interfaces with. */
import { execFile } from 'node:child_process';
import { awsEnvironment, OPERATOR } from './account.ts';
import { LocalError } from './local-error.ts';
import type { StateDirectory } from './state/state-directory.ts';

/** Apart from the outputs, which are there only while the service is ready. */
const FILE = 'first-key.json';
/** Whoever runs the service may do everything, also with the templates of endpoints whose files name no owner. */
const GRANT = [
  '--name',
  'first',
  '--owner',
  'platform',
  '--scopes',
  'templates:read,templates:write,templates:secrets',
];

export interface FirstKeyOptions {
  readonly repository: string;
  /** Name of the table that holds client keys. */
  readonly table: string;
  /** Where the command calls AWS. */
  readonly proxyUrl: string;
  readonly mark: Readonly<Record<string, string>>;
}

/** An address for one service in the user's own configuration would win over the one address for all of them. */
const withoutAws = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('AWS_')));

/** Makes the key as an operator would, with the command of this repository. */
function createKey({ repository, table, proxyUrl, mark }: FirstKeyOptions): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const args = ['bin/keys.ts', 'create', ...GRANT, '--table', table, '--json'];
  const env = { ...withoutAws(process.env), ...awsEnvironment(proxyUrl, OPERATOR, 'first-key'), ...mark };
  execFile(process.execPath, args, { cwd: repository, env }, (error, stdout, stderr) => {
    if (error) reject(new LocalError(`The first API key could not be made: ${stderr.trim()}`));
    else resolve((JSON.parse(stdout) as { secret: string }).secret);
  });
  return promise;
}

/** The secret of the first key; it is made once and stays. */
export async function firstKey(state: StateDirectory, options: FirstKeyOptions): Promise<string> {
  const known = state.readJson<{ secret: string }>(FILE);
  if (known) return known.secret;
  const secret = await createKey(options);
  state.writeJson(FILE, { secret });
  return secret;
}
