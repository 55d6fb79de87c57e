/** Python with a package in an environment of its own, which is made once and kept. */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';

const SDK_VERSION = '1.12.0';
/** Installs the SDK's hundred packages with a tenth of the processor time that pip takes. */
const INSTALLER_VERSION = '0.13.9';
const PYTHON = 'python3';

/** Whether there is a Python here that can make environments. */
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

/** Makes the environment in the folder. */
async function makeEnvironment(folder: string, requirement: string): Promise<void> {
  const interpreter = `${folder}/bin/python`;
  const tools = `${folder}.tools`;
  try {
    await run(PYTHON, [...PIP, '--target', tools, `uv==${INSTALLER_VERSION}`]);
    await run(`${tools}/bin/uv`, ['venv', '--quiet', '--python', PYTHON, folder]);
    await run(`${tools}/bin/uv`, ['pip', 'install', '--quiet', '--python', interpreter, requirement]);
  } catch {
    // Where the address of the package index is known to pip alone.
    rmSync(folder, { recursive: true, force: true });
    await run(PYTHON, ['-m', 'venv', folder]);
    await run(interpreter, [...PIP, requirement]);
  } finally {
    rmSync(tools, { recursive: true, force: true });
  }
}

/** @returns the interpreter that has the package */
export async function pythonWith(name: string, version: string): Promise<string> {
  const folder = resolve('node_modules/.cache', `python-${name}-${version}`);
  const interpreter = `${folder}/bin/python`;
  if (existsSync(interpreter)) return interpreter;
  const made = `${folder}.${process.pid}`;
  mkdirSync(dirname(folder), { recursive: true });
  try {
    await makeEnvironment(made, `${name}==${version}`);
    // Scripts name the folder in which they were made, but nothing here runs one.
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    throw error;
  }
  return interpreter;
}

/** @returns the interpreter that has the original's SDK */
export const pythonWithSdk = (): Promise<string> => pythonWith('runpod', SDK_VERSION);
