/**
 * Installs JavaScript packages with npm as their publishers distribute them, in `node_modules/.cache`. A lock file
 * beside their list pins each package with its integrity. They are not dependencies of this project: `runpod-sdk` has
 * no licence, so this repository must not publish any part of it, `openai` is large, and some generators of clients
 * need another compiler than this project.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const FILES = ['package.json', 'package-lock.json'] as const;

const run = promisify(execFile);

/**
 * Installs the packages of a folder with `package.json` and `package-lock.json`, unless they are already installed.
 * @returns the folder in which a program can import them
 */
export async function installedFrom(source: string): Promise<string> {
  const digest = createHash('sha256');
  for (const file of FILES) digest.update(readFileSync(join(source, file)));
  const folder = resolve('node_modules/.cache', `clients-${digest.digest('hex').slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  const made = `${folder}.${process.pid}`;
  mkdirSync(made, { recursive: true });
  try {
    for (const file of FILES) copyFileSync(join(source, file), join(made, file));
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--omit=optional'], { cwd: made });
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    throw error;
  }
  return folder;
}

/**
 * Installs the clients of OpenAI and RunPod.
 * @returns the folder in which a program can import them
 */
export const clientPackages = (): Promise<string> => installedFrom('test/acceptance/clients/javascript');
