/** Reads the options of a script, `npm run SCRIPT -- --option`. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** Runs `read`. If it refuses an option or argument, throws an error with one sentence that names it. */
function refusing<Result>(command: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    const [sentence] = (error as Error).message.split(/\.\s/);
    const separator = command.includes(' -- ') ? '' : ' --';
    const program = command.startsWith('npx ') ? command : `npm run ${command}${separator}`;
    throw new Error(`${sentence}; ${program} --help lists the options.`, { cause: error });
  }
}

/**
 * Returns the options of a command that takes no other arguments.
 * @param command name of the script in package.json, `SCRIPT -- NAME` of one of its commands, or `npx node FILE`, which
 *   the error mentions
 * @throws Error for an unknown option, an option without its value, or an argument that is not an option
 */
export function readFlags<Config extends ParseArgsOptionsConfig>(
  command: string,
  options: Config,
  args: readonly string[],
) {
  return refusing(command, () => parseArgs({ args: [...args], options }).values);
}

/**
 * Returns the options of a command and its other arguments.
 * @throws Error for an unknown option, or an option without its value
 */
export function readArguments<Config extends ParseArgsOptionsConfig>(
  command: string,
  options: Config,
  args: readonly string[],
) {
  return refusing(command, () => parseArgs({ args: [...args], options, allowPositionals: true }));
}

/** Returns the result of `read`. If `read` throws, prints the message and ends the process with code 1. */
export function readOrExit<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

/** Runs the command. Prints the message of an error and sets the exit code to 1. */
export function runCommand(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
