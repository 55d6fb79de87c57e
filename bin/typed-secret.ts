/** Reads a secret from the terminal or a pipe: every user of the machine can see the arguments of a command. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** Reads a line from the terminal without showing it. */
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

/** Returns stdin without one line break at its end; at a terminal, one line. */
export async function readSecret(question: string): Promise<string> {
  if (process.stdin.isTTY) return ask(question);
  return (await text(process.stdin)).replace(/\r?\n$/, '');
}
