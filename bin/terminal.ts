/** Asks at the terminal, and the exit codes of a command whose user has refused or interrupted it. */
import { createInterface } from 'node:readline/promises';

/** The user has not agreed, or there was no terminal to ask on. */
export const NOT_CONFIRMED = 2;
/** The user has pressed Ctrl-C. */
export const INTERRUPTED = 130;

/** Returns the line that the user types, without spaces around it, or an empty text if the input ends. */
export type Ask = (question: string) => Promise<string>;

const atTerminal: Ask = async (question) => {
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
 * Returns whether the user types yes.
 * @param ask undefined without a terminal, where the user cannot agree
 * @param purpose what happens then, as an infinitive without `to`
 */
export const agrees = async (ask: Ask | undefined, purpose: string): Promise<boolean> =>
  (await ask?.(`\nType yes to ${purpose}: `)) === 'yes';

/** Returns how to ask the user, or undefined without a terminal. */
export const askAtTerminal = (): Ask | undefined => (process.stdin.isTTY ? atTerminal : undefined);
