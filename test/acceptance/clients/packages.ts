/**
 * Installs JavaScript clients with npm as their publishers distribute them, in `node_modules/.cache`.
 * `javascript/package-lock.json` pins each package with its integrity. They are not dependencies of this project:
 * `runpod-sdk` has no licence, so this repository must not publish any part of it, and `openai` is large.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const FOLDER = 'test/acceptance/clients/javascript';
const FILES = ['package.json', 'package-lock.json'] as const;

const run = promisify(execFile);

/**
 * Installs the packages unless they are already installed.
 * @returns the folder in which a program can import them
 */
export async function clientPackages(): Promise<string> {
  const digest = createHash('sha256');
  for (const file of FILES) digest.update(readFileSync(join(FOLDER, file)));
  const folder = resolve('node_modules/.cache', `clients-${digest.digest('hex').slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  const made = `${folder}.${process.pid}`;
  mkdirSync(made, { recursive: true });
  try {
    for (const file of FILES) copyFileSync(join(FOLDER, file), join(made, file));
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--omit=optional'], { cwd: made });
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    throw error;
  }
  return folder;
}
