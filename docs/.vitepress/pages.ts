/**
 * The pages of the site: every document of the repository, at its place in `docs/`. Documents outside `docs/` are pages
 * too, because a reader of a guide must be able to open the example that it names, also before the repository has a
 * public address. Paths are relative to the root of the repository, where all commands run.
 */
import { globSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';

/** The start page of the documentation, on GitHub and on the site. */
export const START = 'docs/README.md';

/** Matches the documents: the README, the changelog and similar files, the pages of `docs/`, and the examples. */
const DOCUMENTS = ['*.md', 'docs/**/*.md', 'examples/*/README.md'];

/** The same set for VitePress, which reads all Markdown files except these. */
export const others = ['!(docs|examples)/**/*', 'examples/*/!(README).md', 'examples/*/*/**'];

export const pages: readonly string[] = globSync(DOCUMENTS).toSorted();

export const isPage = (path: string): boolean => DOCUMENTS.some((pattern) => matchesGlob(path, pattern));

/** Returns the path of a document on the site. The README of a folder is the folder's first page. */
export function addressOf(path: string): string {
  const example = /^examples\/(.+)\/README\.md$/.exec(path);
  if (example) return `examples/${example[1]}.md`;
  if (!path.startsWith('docs/')) return path.toLowerCase();
  return path.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '$1index.md');
}

/** Returns the first heading of a document as plain text. */
export function titleOf(path: string): string {
  const [, heading = path] = /^# (.+)$/m.exec(readFileSync(path, 'utf8')) ?? [];
  return heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');
}
