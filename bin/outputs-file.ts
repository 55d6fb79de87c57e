/** Reads the file with the outputs of stacks, which `deploy --outputs-file` or `dev` has written. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file that `deploy --outputs-file` usually writes. */
export const OUTPUTS = 'outputs.json';

/** Returns the path of the outputs file of `dev`. */
export const localOutputs = (): string => join(process.env.LOCAL_STATE_DIR || '.local', OUTPUTS);

/** Returns the outputs of each stack by its name, or undefined if there is no such file. */
export function readOutputs<Outputs>(file: string): Readonly<Record<string, Outputs>> | undefined {
  if (!existsSync(file)) return undefined;
  return JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, Outputs>>;
}
