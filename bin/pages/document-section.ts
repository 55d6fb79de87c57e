/** Reads and writes the sections of documents that commands generate, each between two comments. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const DOCS = join(dirname(dirname(import.meta.dirname)), 'docs');

export interface Place {
  read(): string;
  write(text: string): void;
}

/**
 * Returns the section of a document in docs/ that begins with `<!-- NAME: written by \`COMMAND\` -->` and ends with
 * `<!-- /NAME -->`. Reading or writing the section throws an error if the document does not have it.
 */
export function placeOf(document: string, name: string, command: string): Place {
  const file = join(DOCS, document);
  const [opening, closing] = [`<!-- ${name}: written by \`${command}\` -->`, `<!-- /${name} -->`];
  function split(): [before: string, inside: string, after: string] {
    const text = readFileSync(file, 'utf8');
    const [begin, end] = [text.indexOf(opening), text.indexOf(closing)];
    if (begin < 0 || end < begin)
      throw new Error(`docs/${document} has no section between ${opening} and ${closing}: add the two lines.`);
    const start = begin + opening.length;
    return [text.slice(0, start), text.slice(start, end).trim(), text.slice(end)];
  }
  return {
    read: () => split()[1],
    write(text) {
      const [before, , after] = split();
      writeFileSync(file, `${before}\n\n${text}\n\n${after}`);
    },
  };
}
