/** Synthesizes the CDK app of this repository, unless the assembly of the run before is still right. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LocalError } from '../local-error.ts';
import type { StateDirectory } from '../state/state-directory.ts';

const APP = 'bin/gpu-endpoints.ts';
/** All that goes into an assembly. */
const SOURCES = '{bin,lib,core,aws,lambda,worker,endpoints,capacity,templates,environments,examples}/**/*';
const SETTINGS = ['cdk.json', 'package.json', 'package-lock.json', 'tsconfig.json', '.npmrc'];
const STAMP = 'assembly.json';

/**
 * Stacks for an account and a Region that only deployment knows: this machine has its own. The console is built when it is
 * first opened.
 */
const HERE = { 'environment:without-place': true, 'console:built-later': true };

type Context = Readonly<Record<string, string>>;

function fingerprint(repository: string, given: Context): string {
  const hash = createHash('sha256').update(process.version).update(JSON.stringify(given));
  const files = [...SETTINGS, ...globSync(SOURCES, { cwd: repository }).sort()];
  for (const name of files) {
    const file = join(repository, name);
    if (existsSync(file) && statSync(file).isFile()) hash.update(`\0${name}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** Runs the app as the CDK's command line does: the context comes in a variable. */
function runApp(repository: string, environment: Readonly<Record<string, string>>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const env = { ...process.env, ...environment };
  execFile(process.execPath, [APP], { cwd: repository, env, maxBuffer: 64 * 1024 * 1024 }, (error, _, stderr) => {
    if (error) reject(new LocalError(`${stderr.trim()}\nThe stacks could not be synthesized: see above.`));
    else resolve();
  });
  return promise;
}

/**
 * @param mark environment variables of all processes of this run
 * @param given settings of the stacks besides those of `cdk.json`
 * @returns the folder of the assembly, and whether it had to be made
 */
export async function synthesize(
  repository: string,
  state: StateDirectory,
  mark: Readonly<Record<string, string>>,
  given: Context = {},
): Promise<{ folder: string; made: boolean }> {
  const folder = state.file('assembly');
  const sources = fingerprint(repository, given);
  if (state.readJson<{ sources: string }>(STAMP)?.sources === sources) return { folder, made: false };

  state.remove(STAMP);
  rmSync(folder, { recursive: true, force: true });
  const { context } = JSON.parse(readFileSync(join(repository, 'cdk.json'), 'utf8')) as { context: object };
  // What CDK's validation finds, only CloudFormation would mind, and it takes seconds.
  const app = {
    CDK_OUTDIR: folder,
    CDK_CONTEXT_JSON: JSON.stringify({ ...context, ...given, ...HERE }),
    CDK_VALIDATION: 'false',
  };
  await runApp(repository, { ...mark, ...app });
  state.writeJson(STAMP, { sources });
  return { folder, made: true };
}
