/** Tests that each document has a page on the site and a place in its sidebar. */
import { globSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { DefaultTheme } from 'vitepress';
import { navigation, sectionsOf, sidebar } from '../../../docs/.vitepress/navigation.ts';
import { addressOf, isPage, pages, START } from '../../../docs/.vitepress/pages.ts';

const linksOf = ({ items = [], link }: DefaultTheme.SidebarItem): string[] =>
  items.length > 0 ? items.flatMap(linksOf) : link === undefined ? [] : [link];

const addressed = (path: string) => `/${addressOf(path).replace(/index\.md$/, '')}`;

const groups = sidebar();

/** Pages without an entry: the start page, the page of decisions, which is the title of a group, and the template. */
const WITHOUT = [START, 'docs/adr/README.md', 'docs/adr/0000-template.md'];

describe('the sidebar', () => {
  it('contains each page once', () => {
    const links = groups.flatMap(linksOf);
    const expected = pages.filter((path) => !WITHOUT.includes(path)).map(addressed);
    expect(links.toSorted()).toEqual(expected.toSorted());
  });

  it('has the pages of a kind in the order of the links in docs/README.md', () => {
    const [, ...sections] = sectionsOf(START);
    const ordered = [...new Set(sections.flatMap(({ documents }) => documents))].map(addressed);
    for (const folder of ['tutorials', 'reference', 'explanation', 'guides']) {
      const isOfKind = (link: string) => link.startsWith(`/${folder}/`);
      const links = groups.flatMap(linksOf).filter(isOfKind);
      const expected = ordered.filter(isOfKind);
      expect(links.slice(0, expected.length)).toEqual(expected);
    }
  });

  it('groups the guides by reader', () => {
    const guides = groups.find(({ text }) => text === 'Guides');
    const [, ...readers] = sectionsOf(START).map(({ heading }) => heading);
    const shown = guides?.items.map(({ text }) => text).filter((text) => readers.includes(text ?? ''));
    expect(shown).toEqual(readers);
  });
});

describe('the navigation', () => {
  it('has one entry for each kind of pages, which leads to the first page of the kind', () => {
    expect(navigation(groups).map(({ text }) => text)).toEqual(['Tutorials', 'Guides', 'Reference', 'Explanation']);
    for (const { link, activeMatch = '' } of navigation(groups)) expect(link).toMatch(new RegExp(activeMatch));
  });
});

describe('a page of the site', () => {
  it('has its own address', () => {
    expect(new Set(pages.map(addressOf)).size).toBe(pages.length);
  });

  it('is every document of docs/ and the examples, and no report or fixture', () => {
    expect(pages).toEqual(expect.arrayContaining(globSync('docs/**/*.md')));
    expect(pages).toContain('examples/vllm/README.md');
    for (const path of ['packages/console/test/hostile/README.md', 'packages/console/readme/a.md'])
      expect(isPage(path)).toBe(false);
  });
});
