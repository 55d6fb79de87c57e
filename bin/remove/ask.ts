/** Asks at the terminal. */
import { createInterface } from 'node:readline/promises';

/** Returns the line that the user types, or an empty text if the input ends. */
export async function ask(question: string): Promise<string> {
  // The terminal edits the line itself, so that Ctrl-C interrupts the command.
  const terminal = createInterface({ input: process.stdin, output: process.stdout, terminal: false });
  const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  try {
    return (await Promise.race([terminal.question(question), ended])).trim();
  } finally {
    terminal.close();
  }
}
