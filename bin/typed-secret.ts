/** A secret that somebody types or pipes in: an argument of a command is seen by everybody on the machine. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** What is typed is not shown. */
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

/** @returns all of stdin but one line break at its end; at a terminal, one line */
export async function readSecret(question: string): Promise<string> {
  if (process.stdin.isTTY) return ask(question);
  return (await text(process.stdin)).replace(/\r?\n$/, '');
}
