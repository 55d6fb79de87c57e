/**
 * Reads a secret from the terminal or a pipe. An option would be unsafe, because every user of the machine can
 * see arguments.
 */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** Reads a line from the terminal without echo. */
async function ask(question: string): Promise<string> {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}

/** Returns stdin without its final line break, or, at a terminal, one line. */
export async function readSecret(question: string): Promise<string> {
  if (process.stdin.isTTY) return ask(question);
  return (await text(process.stdin)).replace(/\r?\n$/, '');
}
