/** The first API key of a state directory, with which clients call the interfaces of the service. */
import { LocalError } from './local-error.ts';
import { type OperatorCommands, runAsOperator } from './operator-command.ts';
import type { StateDirectory } from './state/state-directory.ts';

/** File of the key. It is separate, because the outputs exist only while the service is ready. */
const FILE = 'first-key.json';

/**
 * Returns the secret of the first key, which is created only one time for a state directory.
 * @param command arguments of Node.js for a command that creates the key as an operator would, and prints it as JSON
 */
export async function firstKey(
  state: StateDirectory,
  commands: OperatorCommands,
  command: readonly string[],
): Promise<string> {
  const known = state.readJson<{ secret: string }>(FILE);
  if (known) return known.secret;
  const printed = await runAsOperator(commands, command, 'first-key').catch((error: Error) => {
    throw new LocalError(`The first API key could not be created: ${error.message}`);
  });
  const { secret } = JSON.parse(printed) as { secret: string };
  state.writeJson(FILE, { secret });
  return secret;
}
