/** Installs another version of the package into the repository of a team, and shows what it changes. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changesAfter } from './changes.ts';

const PACKAGE = 'gpu-endpoints';

export interface UpgradeOptions {
  readonly env?: string;
}

const read = (folder: string, file: string) => readFileSync(join(folder, file), 'utf8');

/** Returns the folder of the package as the repository has installed it. */
const installedIn = (repository: string) => join(repository, 'node_modules', PACKAGE);

const versionIn = (folder: string) => (JSON.parse(read(folder, 'package.json')) as { version: string }).version;

/** Runs a program with the terminal of the user. */
const run = (program: string, args: readonly string[]) => spawnSync(program, args, { stdio: 'inherit' }).status ?? 1;

/** Installs a package with npm, whose report of a missing version is several lines. */
function install(wanted: string): number {
  const args = ['install', '--save-exact', wanted];
  const { status, stderr } = spawnSync('npm', args, { stdio: ['inherit', 'inherit', 'pipe'], encoding: 'utf8' });
  const isMissing = /\b(?:E404|ETARGET)\b/.test(stderr);
  if (status !== 0) console.error(isMissing ? `npm has no ${wanted}: nothing is changed.` : stderr.trim());
  return status ?? 1;
}

/**
 * Installs the version, prints the changelog since the present one, and compares the stacks with the deployed ones by the
 * new version. Deploys nothing.
 * @param wanted version, tag, or anything else that npm installs
 * @returns the exit code
 * @throws Error if the repository has not installed the package
 */
export function upgrade(repository: string, wanted: string, { env }: UpgradeOptions): number {
  const folder = installedIn(repository);
  if (!existsSync(folder))
    throw new Error(`${repository} has no ${PACKAGE} in node_modules: run this in the repository of your endpoints.`);
  const before = versionIn(folder);
  const isName = /^[\w.-]+$/.test(wanted);
  console.log(`Installing ${isName ? `${PACKAGE}@${wanted}` : wanted} in place of ${before} ...`);
  const installed = install(isName ? `${PACKAGE}@${wanted}` : wanted);
  if (installed !== 0) return installed;
  const after = versionIn(folder);
  const back = `npm install --save-exact ${PACKAGE}@${before}`;
  if (after === before) {
    console.log(`${before} is installed already.`);
    return 0;
  }
  console.log(`\nChanges from ${before} to ${after}:\n\n${changesAfter(read(folder, 'CHANGELOG.md'), before)}\n`);
  console.log(`What a deployment of ${after} would change:\n`);
  // The new version compares, because it makes the new stacks.
  const compared = run('npx', [PACKAGE, 'diff', ...(env === undefined ? [] : ['--env', env])]);
  if (compared !== 0) console.error('The stacks were not compared. To repeat it: npx gpu-endpoints diff');
  console.log(
    `\n${after} is installed and nothing is deployed. To deploy it: npx gpu-endpoints deploy. To go back: ${back}`,
  );
  return compared;
}
