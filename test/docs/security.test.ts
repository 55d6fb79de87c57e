/** What docs/security.md claims is shown by tests that exist. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const page = readFileSync('docs/security.md', 'utf8');
const named = [...page.matchAll(/`(test\/[^`]+\.ts)`, "([^"]+)"/g)].map(([, file = '', title = '']) => ({
  file,
  title,
}));
const rows = page.split('\n').filter((line) => /\| (?:yes|no) +\|/.test(line));

describe('docs/security.md', () => {
  it.each(named)('names a test of $file that exists: $title', ({ file, title }) => {
    expect(readFileSync(file, 'utf8')).toContain(`it('${title}'`);
  });

  it('names a test for each claim of what an actor can do', () => {
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row).toMatch(/`test\/[^`]+\.ts`, "|the same test/);
  });
});
