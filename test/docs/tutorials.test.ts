/**
 * Tests that the links of tutorials work, that the README links to tutorials, and that tests run all their
 * programs.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { programOf } from '../acceptance/clients/programs.ts';
import { tutorials } from '../acceptance/clients/tutorials.ts';

const pages = globSync('docs/tutorials/*.md');
const read = (file: string) => readFileSync(file, 'utf8');

it('tests run the programs of each tutorial', () => {
  expect(new Set(pages)).toEqual(new Set<string>(tutorials.map(({ page }) => page)));
});

describe.each(pages)('%s', (page) => {
  const text = read(page);

  it('is linked from the README', () => {
    expect(read('README.md')).toContain(`](${page})`);
  });

  it('links to files that exist', () => {
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link.split('#')[0] ?? '');
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((link) => !existsSync(join(dirname(page), link)))).toEqual([]);
  });

  it('contains only programs that tests run', () => {
    const blocks = [...text.matchAll(/^```(?:js|python)\n(.*?)^```$/gms)].map(([, block = '']) => block);
    const run = tutorials
      .filter((tutorial) => tutorial.page === page)
      .map(({ heading, language }) => programOf(page, heading, language))
      .join('\n');
    expect(blocks.length).toBeGreaterThan(0);
    expect(blocks.filter((block) => !run.includes(block))).toEqual([]);
  });
});
