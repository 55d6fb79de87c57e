/** Creates virtual environments of Python with a package. Each is created once and cached. */
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

export const SDK_VERSION = '1.12.0';
/** The installer needs a tenth of pip's processor time for the SDK's hundred packages. */
const INSTALLER_VERSION = '0.13.9';
const PYTHON = 'python3';

/** Returns whether this machine has a Python that can create virtual environments. */
export function hasPython(): boolean {
  try {
    execFileSync(PYTHON, ['-c', 'import venv, ensurepip'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const run = promisify(execFile);
const PIP = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-compile'];

const CACHE = resolve('node_modules/.cache');

/** Returns the folder. Creates it unless it exists; another test process can create the same folder meanwhile. */
async function madeOnce(folder: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  if (existsSync(folder)) return folder;
  const made = `${folder}.${process.pid}`;
  mkdirSync(dirname(folder), { recursive: true });
  try {
    await make(made);
    // Scripts in the environment contain the folder in which they were created, but the tests run none of them.
    renameSync(made, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  return folder;
}

const makeInstaller = (folder: string) => run(PYTHON, [...PIP, '--target', folder, `uv==${INSTALLER_VERSION}`]);

let installer: Promise<string> | undefined;

/** Creates the environment in the folder. */
async function makeEnvironment(folder: string, requirements: readonly string[]): Promise<void> {
  const interpreter = `${folder}/bin/python`;
  try {
    installer ??= madeOnce(join(CACHE, `uv-${INSTALLER_VERSION}`), makeInstaller);
    const uv = join(await installer, 'bin/uv');
    await run(uv, ['venv', '--quiet', '--python', PYTHON, folder]);
    await run(uv, ['pip', 'install', '--quiet', '--python', interpreter, ...requirements]);
  } catch {
    // The address of the package index might be configured only for pip.
    rmSync(folder, { recursive: true, force: true });
    await run(PYTHON, ['-m', 'venv', folder]);
    await run(interpreter, [...PIP, ...requirements]);
  }
}

/**
 * @param more requirements of the environment in addition to the package, such as `numpy==2.2.6`
 * @returns the interpreter that has the package
 */
export async function pythonWith(name: string, version: string, more: readonly string[] = []): Promise<string> {
  const folder = join(CACHE, ['python', name, version, ...more.map((one) => one.replace('==', '-'))].join('-'));
  await madeOnce(folder, (made) => makeEnvironment(made, [`${name}==${version}`, ...more]));
  return `${folder}/bin/python`;
}

/**
 * @param file list of all packages of the environment, each with its version
 * @returns the interpreter that has these packages
 */
export async function pythonWithAll(file: string): Promise<string> {
  const digest = createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16);
  const folder = join(CACHE, `python-${digest}`);
  await madeOnce(folder, (made) => makeEnvironment(made, ['-r', file]));
  return `${folder}/bin/python`;
}

/** @returns the interpreter that has RunPod's SDK */
export const pythonWithSdk = (): Promise<string> => pythonWith('runpod', SDK_VERSION);
