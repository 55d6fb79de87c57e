/** Asks whether to remove. */
import { createInterface } from 'node:readline/promises';
import type { Facts, Target } from './facts.ts';

/** Returns the line that the user types, without spaces around it, or an empty text if the input ends. */
type Ask = (question: string) => Promise<string>;

export const atTerminal: Ask = async (question) => {
  // The terminal edits the line itself, so that Ctrl-C interrupts the command.
  const terminal = createInterface({ input: process.stdin, output: process.stdout, terminal: false });
  const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  try {
    return (await Promise.race([terminal.question(question), ended])).trim();
  } finally {
    terminal.close();
  }
};

/**
 * Asks whether to perform the plan, and whether to delete `Storage` too, which needs the name of the deployment.
 * @param ask undefined without a terminal
 * @returns what to remove, or undefined if the user does not agree
 */
export async function confirmed(
  { stacks, deployment }: Pick<Facts, 'stacks' | 'deployment'>,
  target: Target,
  ask: Ask | undefined,
): Promise<Target | undefined> {
  if (!ask || (await ask('\nType yes to begin: ')) !== 'yes') return undefined;
  const hasStorage = stacks.some(({ stack }) => stack === 'Storage');
  if (target.of !== 'deployment' || target.withStorage || !hasStorage) return target;
  const typed = await ask(`Type ${deployment} to delete its stack Storage too, or press Enter to keep it: `);
  return { of: 'deployment', withStorage: typed === deployment };
}
