/**
 * The common parts of the measuring commands: their flags (`npm run COMMAND -- --flag`), their progress and their
 * exit.
 */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/**
 * Reads the flags of a command.
 * @param command name of the script in package.json, which the error mentions
 * @throws Error for an unknown flag, or a flag without its value
 */
export function readFlags<Config extends ParseArgsOptionsConfig>(
  command: string,
  options: Config,
  args: readonly string[],
) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    const [sentence] = (error as Error).message.split('. ');
    throw new Error(`${sentence}; npm run ${command} -- --help lists the options.`);
  }
}

/** @throws Error unless the value of the flag is a whole number from 1 to `most` */
export function numberFrom(flag: string, text: string, most: number): number {
  if (/^[1-9]\d{0,6}$/.test(text) && Number(text) <= most) return Number(text);
  throw new Error(`--${flag} must be a whole number from 1 to ${most}, got ${text}.`);
}

/** Writes a progress line to standard error, because standard output contains only the figures. */
export const report = (text: string): void => void process.stderr.write(`${text}\n`);

/** Runs the command. Prints the message of an error and sets the exit code to 1. */
export function runCommand(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
