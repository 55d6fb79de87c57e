/** Tests the links of all Markdown files: their files and headings exist, and every page can be reached. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { anchorOf } from '../../docs/.vitepress/anchor.ts';

interface Link {
  /** Path of the target in this repository. */
  readonly path: string;
  /** Heading of the target; undefined for the whole file. */
  readonly anchor: string | undefined;
}

/** Reports of attacks, which contain links on purpose. */
const EXCEPT = 'packages/console/test/hostile';

const pages = globSync(['*.md', '{.github,docs,examples,packages,test}/**/*.md']).filter(
  (path) => !path.startsWith(EXCEPT),
);

const contents = new Map(pages.map((page) => [page, readFileSync(page, 'utf8')]));

/** Returns the text without its code, in which brackets are no links and `#` begins no heading. */
const prose = (text: string) =>
  text.replaceAll(/^( *)(`{3,})[^\n]*\n.*?^\1\2 *$/gms, '').replaceAll(/`[^`\n]*`/g, '``');

/** Returns the anchors that GitHub generates for headings. Equal headings get a number. */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  const withoutBlocks = text.replaceAll(/^( *)(`{3,})[^\n]*\n.*?^\1\2 *$/gms, '');
  for (const [, heading = ''] of withoutBlocks.matchAll(/^#+ (.+)$/gm)) {
    const shown = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
    const anchor = anchorOf(shown);
    let unique = anchor;
    for (let n = 1; anchors.has(unique); n += 1) unique = `${anchor}-${n}`;
    anchors.add(unique);
  }
  return anchors;
}

function linksOf(page: string): Link[] {
  const text = prose(contents.get(page) ?? '');
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)|(?:href|src|srcset)="([^"]+)"/g)].map(
    ([, markdown, html]) => markdown ?? html ?? '',
  );
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor] = target.split('#');
      return { path: path === '' ? page : normalize(join(dirname(page), path)), anchor };
    });
}

describe.each(pages)('%s', (page) => {
  it('links to files and headings that exist', () => {
    const broken = linksOf(page).filter(({ path, anchor }) => {
      if (!existsSync(path)) return true;
      return anchor !== undefined && !anchorsOf(contents.get(path) ?? '').has(anchor);
    });
    expect(broken).toEqual([]);
  });
});

it('reaches every page of docs/ from the README by links', () => {
  const reached = new Set(['README.md']);
  for (const page of reached)
    for (const { path } of linksOf(page)) {
      const target = existsSync(path) && statSync(path).isDirectory() ? join(path, 'README.md') : path;
      if (contents.has(target)) reached.add(target);
    }
  expect(pages.filter((page) => page.startsWith('docs/') && !reached.has(page))).toEqual([]);
});
