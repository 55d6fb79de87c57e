/** Flags of the measuring commands: `npm run COMMAND -- --flag`. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/**
 * @param command name of the script in package.json, whose `--help` the error names
 * @throws Error for a flag that is not known, or without the value that it needs
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
    throw new Error(`${sentence}; npm run ${command} -- --help lists what there is.`);
  }
}
