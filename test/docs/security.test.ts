/** Tests that docs/explanation/security.md names only existing tests as evidence. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { titlesOf } from '../contract/titles.ts';

const NAMED = /`((?:test|packages)\/[^`]+\.ts)`, "([^"]+)"/g;
const CAN = /^can /;

/** The cells of each row of each table that has a column about what an actor can do. */
function claimsOf(page: string): { can: string; shownBy: string }[] {
  const lines = page.split('\n').map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  let column = -1;
  return lines.flatMap((cells) => {
    if (cells.length === 0) column = -1;
    else if (cells.some((cell) => CAN.test(cell))) column = cells.findIndex((cell) => CAN.test(cell));
    else if (column >= 0 && !cells.every((cell) => /^-+$/.test(cell)))
      return [{ can: cells[column] ?? '', shownBy: cells.at(-1) ?? '' }];
    return [];
  });
}

const page = readFileSync('docs/explanation/security.md', 'utf8');
const claims = claimsOf(page);
const named = [...page.matchAll(NAMED)].map(([, file = '', title = '']) => ({ file, title }));

describe('docs/explanation/security.md', () => {
  it.each(named)('names a test of $file that exists: $title', ({ file, title }) => {
    expect(existsSync(file)).toBe(true);
    expect(titlesOf(file)).toContain(title);
  });

  it('has a table for each actor', () => {
    const actors = [...page.matchAll(/^\| (.+?) +\| can (?:it|they)\? +\| shown by +\|$/gm)].map(([, actor]) => actor);
    expect(actors).toEqual([
      'a client without a key',
      'a client with a key',
      'a user of the console',
      'a page or a program beside `npm start`',
      'a webhook, or its receiver',
      'worker code',
      'a neighbour',
      'an operator',
      'an owner of a template',
    ]);
  });

  it('answers yes or no in each row of these tables, and names only tests as proof', () => {
    expect(claims.length).toBeGreaterThan(50);
    for (const { can, shownBy } of claims) {
      expect(can).toMatch(/^(?:yes|no)$/);
      expect(shownBy.replaceAll(NAMED, 'a test')).toMatch(/^a test(?:; a test)*$/);
    }
  });

  it('lists the open gaps, each with a remedy', () => {
    const [, open = ''] = page.split('\n## What is left open\n');
    const rows = open.split('\n').filter((line) => /^\| [A-Z`]/.test(line));
    expect(rows.length).toBeGreaterThan(5);
  });
});
