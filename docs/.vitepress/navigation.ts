/**
 * The sidebar and the top navigation. `docs/README.md` determines the order of pages by its links, and groups the guides
 * by its headings. A page to which it does not link follows in the order of titles. So a new page appears in the sidebar
 * without an entry here.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { addressOf, pages, START, titleOf } from './pages.ts';

interface Item extends DefaultTheme.SidebarItem {
  readonly text: string;
}

export interface Group extends Item {
  readonly link: string;
  readonly items: Item[];
}

interface Section {
  readonly heading: string;
  /** The documents to which the section links, in order. */
  readonly documents: readonly string[];
}

/** The title of the group of documents that are not in `docs/`, which has no entry at the top. */
const PROJECT = 'Project';
const DECISIONS = 'docs/adr/README.md';
const TEMPLATE = 'docs/adr/0000-template.md';

/** Returns the sections of a document. The first section is the text before the first heading. */
export function sectionsOf(path: string): readonly Section[] {
  return readFileSync(path, 'utf8')
    .split(/^## /m)
    .map((text) => ({
      heading: text.split('\n')[0] ?? '',
      documents: [...text.matchAll(/\]\(([^)#\s]+\.md)(?:#[^)\s]*)?\)/g)].map(([, link = '']) =>
        normalize(join(dirname(path), link)),
      ),
    }));
}

const itemOf = (path: string): Item => ({
  text: titleOf(path),
  link: `/${addressOf(path).replace(/index\.md$/, '')}`,
});

/** Returns the pages of a folder in the order of the links in another document, and then those without a link by title. */
function pagesOf(folder: string, ordering: string): readonly string[] {
  const order = sectionsOf(ordering).flatMap(({ documents }) => documents);
  const placeOf = (path: string) => (order.includes(path) ? order.indexOf(path) : order.length);
  return pages
    .filter((path) => path.startsWith(`${folder}/`) && path !== ordering && path !== TEMPLATE)
    .toSorted((one, other) => placeOf(one) - placeOf(other) || titleOf(one).localeCompare(titleOf(other), 'en'));
}

/** Returns the pages in groups, by the section of the start page that links to them. Other pages follow without a group. */
function groupedByReader(paths: readonly string[]): Item[] {
  const [, ...readers] = sectionsOf(START);
  const sectionOf = (path: string) => readers.find(({ documents }) => documents.includes(path))?.heading;
  const groups = readers.map(({ heading }) => ({
    text: heading,
    items: paths.filter((path) => sectionOf(path) === heading).map(itemOf),
  }));
  const others = paths.filter((path) => sectionOf(path) === undefined).map(itemOf);
  return [...groups.filter(({ items }) => items.length > 0), ...others];
}

/** Returns a group that leads to its first page. A collapsed group is open on its own pages. */
function group(text: string, items: Item[], collapsed: boolean): Group {
  const firstOf = ({ link, items: [first] = [] }: DefaultTheme.SidebarItem): string =>
    link ?? (first ? firstOf(first) : '/');
  return { text, link: firstOf({ items }), collapsed, items };
}

/** Returns the groups of the sidebar: one for each kind of pages, and one for documents that are not in `docs/`. */
export function sidebar(): Group[] {
  const kind = (folder: string) => pagesOf(`docs/${folder}`, START).map(itemOf);
  const guides = groupedByReader(pagesOf('docs/guides', START));
  const examples = group('Examples', pagesOf('examples', START).map(itemOf), true);
  const decisions = { ...itemOf(DECISIONS), collapsed: true, items: pagesOf('docs/adr', DECISIONS).map(itemOf) };
  const project = pages.filter((path) => !path.includes('/')).map(itemOf);
  return [
    group('Tutorials', kind('tutorials'), false),
    group('Guides', [...guides, examples], true),
    group('Reference', kind('reference'), true),
    group('Explanation', [...kind('explanation'), decisions], true),
    group(PROJECT, project, true),
  ];
}

/** Returns an entry for each kind of pages, which leads to the first page of the kind. */
export function navigation(groups: readonly Group[]): DefaultTheme.NavItemWithLink[] {
  return groups
    .filter(({ text }) => text !== PROJECT)
    .map(({ text, link }) => ({
      text,
      link,
      activeMatch: text === 'Explanation' ? '^/(explanation|adr)/' : `^/${text.toLowerCase()}/`,
    }));
}
