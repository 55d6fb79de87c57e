/** The tables' place in docs/performance.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FILE = join(dirname(dirname(import.meta.dirname)), 'docs', 'performance.md');
const BEGIN = '<!-- ledger: written by `npm run bench:ledger -- --record` -->';
const END = '<!-- /ledger -->';

/** @throws if the document has no place for the tables */
function split(text: string): [before: string, tables: string, after: string] {
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`docs/performance.md has no place between ${BEGIN} and ${END}.`);
  const start = begin + BEGIN.length;
  return [text.slice(0, start), text.slice(start, end).trim(), text.slice(end)];
}

export const readTables = (): string => split(readFileSync(FILE, 'utf8'))[1];

export function writeTables(tables: string): void {
  const [before, , after] = split(readFileSync(FILE, 'utf8'));
  writeFileSync(FILE, `${before}\n\n${tables}\n\n${after}`);
}
