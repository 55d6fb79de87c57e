/** The command that runs one time for a state directory, such as one that stores the first data of the service. */
import { LocalError } from './local-error.ts';
import { type OperatorCommands, runAsOperator } from './operator-command.ts';
import type { FirstCommand } from './product.ts';
import type { StateDirectory } from './state/state-directory.ts';

/**
 * Runs the command as an operator would, unless it has run with this state directory.
 * @returns the JSON that the command printed in its only run
 */
export async function firstCommand(
  state: StateDirectory,
  commands: OperatorCommands,
  { name, command }: FirstCommand,
): Promise<unknown> {
  // The file is separate, because the outputs exist only while the service is ready.
  const file = `${name}.json`;
  const known = state.readJson<unknown>(file);
  if (known !== undefined) return known;
  const text = await runAsOperator(commands, command, name).catch((error: Error) => {
    throw new LocalError(`The command ${name} failed: ${error.message}`);
  });
  const printed: unknown = JSON.parse(text);
  state.writeJson(file, printed);
  return printed;
}
