/** Options that the commands share which call a deployment over HTTP. */
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { type Command, InvalidArgumentError } from 'commander';
import { LOCAL } from '../environment-name.ts';
import { withExample } from '../example.ts';
import { chosenService, DEFAULT_PROFILE, type Service, variables } from './service.ts';

export interface CommonOptions {
  readonly env?: string;
  readonly json?: boolean;
}

/** Adds `--env`. */
export const withProfile = (command: Command): Command =>
  command.option(
    '--env <name>',
    `profile of \`login\`, or local for \`dev\` in this folder (default: ${variables.env}, then the deployment of ${variables.url} and ${variables.key}, then the profile ${DEFAULT_PROFILE}, then ${LOCAL})`,
  );

/**
 * Adds `--env`, `--json` and the example.
 * @param answer operation whose answer `--json` prints
 */
export function common(command: Command, answer: string, example: string): Command {
  return withExample(withProfile(command).option('--json', `print only JSON: the answer of ${answer}`), example);
}

/** Returns the deployment of `--env`. */
export const serviceOf = ({ env }: CommonOptions): Service => chosenService(env);

/** Options of a command that prints a page of a list. */
export interface PageOptions extends CommonOptions {
  readonly limit: number;
  readonly cursor?: string;
}

/** Adds the options of a page. */
export const paged = (command: Command, things: string, max: number, usual: number): Command =>
  command
    .option('--limit <count>', `most ${things} to list`, wholeNumber(1, max), usual)
    .option('--cursor <cursor>', 'go on after an earlier list');

/** Prints for people how the next page is read, if there is one. */
export function printNext(cursor: string | undefined): void {
  if (cursor !== undefined) console.error(`There are more: --cursor ${cursor}`);
}

/** Returns a reader of whole numbers within bounds. */
export const wholeNumber =
  (min: number, max: number) =>
  (value: string): number => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max)
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return number;
  };

/**
 * Returns the JSON of an option: the text itself, that of a file after `@`, or that of the standard input for `-`.
 * @throws Error, which names the option
 */
export async function jsonFrom(option: string, value: string): Promise<unknown> {
  const source = value === '-' ? await text(process.stdin) : value.startsWith('@') ? readFile(option, value) : value;
  try {
    return JSON.parse(source);
  } catch (error) {
    throw new Error(`${option} must be JSON, @FILE or - for the standard input: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function readFile(option: string, value: string): string {
  try {
    return readFileSync(value.slice(1), 'utf8');
  } catch (error) {
    throw new Error(`${option} names a file that cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
