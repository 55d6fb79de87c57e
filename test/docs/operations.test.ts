/** Tests that the tables and commands that pages name exist. */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { stackOf, synthesize } from '../lib/synthesis.ts';

const read = (file: string) => readFileSync(file, 'utf8');
const pages = globSync('docs/**/*.md').filter((page) => read(page).includes('npm run '));

/** Returns the cells of the rows that begin with a name in backticks. */
const rowsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => /^\| `\w+` /.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

describe('docs/guides/restore.md', () => {
  const { template } = stackOf(synthesize(), 'Storage');
  const tables = Object.entries(template.findResources('AWS::DynamoDB::Table')).map(([id, { Properties }]) => {
    const name = `\`${id.replace(/Table[0-9A-F]{8}$/, '')}\``;
    return [name, Properties.TimeToLiveSpecification ? 'yes' : 'no', Properties.StreamSpecification ? 'yes' : 'no'];
  });

  it('has a row for each table of the stack, with the settings that a restored table lacks', () => {
    const rows = rowsOf(read('docs/guides/restore.md')).map((cells) => [cells[0], ...cells.slice(-2)]);
    expect(rows.toSorted()).toEqual(tables.toSorted());
  });
});

/** Returns the scripts of the package in the folder. */
const scriptsOf = (folder: string) =>
  (JSON.parse(read(`${folder}/package.json`)) as { scripts: Record<string, string> }).scripts;

describe.each(pages)('%s', (page) => {
  const text = read(page);

  it('names only commands of package.json', () => {
    const named = [...text.matchAll(/npm run (?:-\S+ )*(?<name>\w[\w:-]*)(?: -w (?<folder>[\w/]+))?/g)];
    const unknown = named.filter(({ groups: { name = '', folder = '.' } = {} }) => !(name in scriptsOf(folder)));
    expect(unknown.map(([command]) => command)).toEqual([]);
  });
});
