/** Ends the help of a command with an example. */
import type { Command } from 'commander';

/**
 * Adds an example to the help.
 * @param example words after `npx gpu-endpoints`
 * @param notes sentences of the help between the options and the example
 */
export const withExample = (command: Command, example: string, notes = ''): Command =>
  command.addHelpText('after', `${notes && `\n${notes}\n`}\nExample:\n  npx gpu-endpoints ${example}`);
