/** Reads the commands of the binary from its definition. */
import type { Command } from 'commander';
import { profilesFile } from '../client/profiles.ts';
import { createProgram } from '../program.ts';

/** Columns of the help on the page. */
const WIDTH = 100;

export interface BinaryCommand {
  /** Words after `gpu-endpoints`, such as `keys create`. */
  readonly name: string;
  readonly description: string;
  /** Heading of the group in the help of the binary. */
  readonly group: string;
  readonly command: Command;
}

/** Returns commands without subcommands, each with its words. */
function leavesOf(command: Command, group: string, words: readonly string[] = []): BinaryCommand[] {
  return command.commands.flatMap((each) => {
    const [name, heading] = [[...words, each.name()], group || each.helpGroup()];
    if (each.commands.length > 0) return leavesOf(each, heading, name);
    return [{ name: name.join(' '), description: each.description(), group: heading, command: each }];
  });
}

/** Returns the commands of the binary that are defined with their options, in the order of the help. */
export const binaryCommands = (): BinaryCommand[] =>
  leavesOf(createProgram(), '').filter(({ command }) => !passedThrough(command));

/** Whether the command reads its options itself. */
const passedThrough = (command: Command) =>
  command.registeredArguments.some((argument) => argument.name() === 'options');

/** Returns the help of a command, as a terminal with 100 columns shows it. */
export function helpTextOf(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
    getOutHelpWidth: () => WIDTH,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  // The file belongs to the user who reads the help.
  return text.replaceAll(profilesFile(), '~/.config/gpu-endpoints/profiles.json').trim();
}
