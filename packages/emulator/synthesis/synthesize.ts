/** Synthesizes a CDK app, unless the assembly of the previous run is still up to date. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LocalError } from '../local-error.ts';
import type { StateDirectory } from '../state/state-directory.ts';

/** File of the state directory with the fingerprint of its assembly. */
export const STAMP = 'assembly.json';

export interface CdkApp {
  /** Absolute path of the app's repository. */
  readonly folder: string;
  /** Path of the app in the repository. The other paths are relative to the repository too. */
  readonly program: string;
  /** Patterns of the files that affect the assembly. */
  readonly sources: readonly string[];
  /** Other files that affect the assembly; a file can be missing. */
  readonly settings: readonly string[];
  /** Context of every synthesis on this machine. */
  readonly context: Readonly<Record<string, unknown>>;
}

type Context = Readonly<Record<string, string>>;

/** Returns a hash of everything that determines the assembly. */
export function fingerprint({ folder, sources, settings }: CdkApp, given: Context): string {
  const hash = createHash('sha256').update(process.version).update(JSON.stringify(given));
  const files = [...settings, ...globSync([...sources], { cwd: folder }).sort()];
  for (const name of files) {
    const file = join(folder, name);
    if (existsSync(file) && statSync(file).isFile()) hash.update(`\0${name}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** Runs the app as the CDK CLI does, with the context in a variable. */
function runApp({ folder: cwd, program }: CdkApp, environment: Readonly<Record<string, string>>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const env = { ...process.env, ...environment };
  execFile(process.execPath, [program], { cwd, env, maxBuffer: 64 * 1024 * 1024 }, (error, _, stderr) => {
    if (error) reject(new LocalError(`${stderr.trim()}\nThe stacks could not be synthesized: see the output above.`));
    else resolve();
  });
  return promise;
}

/**
 * Synthesizes the app into the state directory.
 * @param variables more environment variables of the app's process
 * @param given context of the stacks, in addition to `cdk.json`
 * @returns the folder of the assembly, and whether this call synthesized it
 */
export async function synthesize(
  app: CdkApp,
  state: StateDirectory,
  variables: Readonly<Record<string, string>>,
  given: Context = {},
): Promise<{ folder: string; made: boolean }> {
  const folder = state.file('assembly');
  const sources = fingerprint(app, given);
  if (state.readJson<{ sources: string }>(STAMP)?.sources === sources) return { folder, made: false };

  state.remove(STAMP);
  rmSync(folder, { recursive: true, force: true });
  const { context } = JSON.parse(readFileSync(join(app.folder, 'cdk.json'), 'utf8')) as { context: object };
  // CDK validation takes several seconds, and finds only errors that CloudFormation would find.
  const environment = {
    CDK_OUTDIR: folder,
    CDK_CONTEXT_JSON: JSON.stringify({ ...context, ...given, ...app.context }),
    CDK_VALIDATION: 'false',
  };
  await runApp(app, { ...variables, ...environment });
  state.writeJson(STAMP, { sources });
  return { folder, made: true };
}
