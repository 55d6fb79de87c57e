/** Python with a package in an environment of its own, which is made once and kept. */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';

const SDK_VERSION = '1.12.0';
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

/** @returns the interpreter that has the package */
export async function pythonWith(name: string, version: string): Promise<string> {
  const folder = resolve('node_modules/.cache', `python-${name}-${version}`);
  const interpreter = `${folder}/bin/python`;
  if (existsSync(interpreter)) return interpreter;
  const made = `${folder}.${process.pid}`;
  mkdirSync(dirname(folder), { recursive: true });
  const run = promisify(execFile);
  try {
    await run(PYTHON, ['-m', 'venv', made]);
    const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
    await run(`${made}/bin/python`, [...install, `${name}==${version}`]);
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
