/** What the measuring commands share: their flags, `npm run COMMAND -- --flag`, their progress and how they end. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/**
 * Reads the flags of a command.
 * @param command name of the script in package.json, whose `--help` the error names
 * @throws Error for an unknown flag, or one without the value that it needs
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

/** @throws Error unless the text of the flag is a whole number from 1 to `most` */
export function numberFrom(flag: string, text: string, most: number): number {
  if (/^[1-9]\d{0,6}$/.test(text) && Number(text) <= most) return Number(text);
  throw new Error(`--${flag} must be a whole number from 1 to ${most}, got ${text}.`);
}

/** Writes a line about progress to standard error: standard output has the figures alone. */
export const report = (text: string): void => void process.stderr.write(`${text}\n`);

/** Runs the command. An error is printed as its message and makes the exit code 1. */
export function runCommand(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
