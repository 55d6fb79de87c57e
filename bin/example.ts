/** Ends the help of a command with an example. */
import type { Command } from 'commander';

/** Sentences of a help between the options and the example. A function returns those that need a file. */
export type Notes = string | (() => string);

/**
 * Adds an example to the help.
 * @param example words after `npx gpu-endpoints`
 */
export const withExample = (command: Command, example: string, notes: Notes = ''): Command =>
  command.addHelpText('after', () => {
    const text = typeof notes === 'string' ? notes : notes();
    return `${text && `\n${text}\n`}\nExample:\n  npx gpu-endpoints ${example}`;
  });
