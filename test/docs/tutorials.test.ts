/** Tests that tests run all programs of the tutorials. */
import { globSync, readFileSync } from 'node:fs';
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
