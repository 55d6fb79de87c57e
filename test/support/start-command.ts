/** The command of `npm start`, with its flags of Node.js and its variables. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface StartCommand {
  /** Arguments of Node.js. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const ASSIGNMENT = /^([A-Z_]+)=(.*)$/;

/** Reads the command from the scripts of `package.json`, such as `NAME=value node --flag PROGRAM.ts`. */
export function startCommand(repository: string): StartCommand {
  const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    readonly scripts: { readonly start: string };
  };
  const words = scripts.start.split(' ');
  const program = words.indexOf('node');
  const variables = words.slice(0, program).map((word) => ASSIGNMENT.exec(word)?.slice(1) ?? []);
  return { args: words.slice(program + 1), environment: Object.fromEntries(variables) as Record<string, string> };
}
