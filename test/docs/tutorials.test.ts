/** Tests that a long test follows every tutorial, and that no block of a tutorial escapes it. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { stepsOf } from './tutorials/page.ts';
import { fileOf, playedPages } from './tutorials/pages.ts';

const pages = globSync('docs/tutorials/*.md').sort();
const read = (file: string) => readFileSync(file, 'utf8');

it('has no tests of pages that do not exist', () => {
  expect(Object.keys(playedPages).filter((name) => !pages.includes(fileOf(name)))).toEqual([]);
});

describe.each(pages)('%s', (page) => {
  const name = basename(page, '.md');
  const text = read(page);
  const steps = stepsOf(text);
  const blocks = steps.filter(({ does }) => does !== 'interrupt');

  it('is followed by a long test', () => {
    const test = `test/docs/tutorials/${name}.long.ts`;
    const source = existsSync(test) ? read(test) : '';
    expect(source.includes(`followTutorial('${name}')`) || source.includes(`'${page}'`)).toBe(true);
  });

  it('has only blocks that the test types, saves or compares', () => {
    expect(blocks.length).toBeGreaterThan(0);
    expect(blocks).toHaveLength((text.match(/^ *`{3,}/gm) ?? []).length / 2);
    expect(blocks.filter(({ does }) => does === 'show')).toEqual([]);
  });
});
