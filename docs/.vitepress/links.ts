/** Rewrites the relative links of a document to the site, so that the same link works on GitHub and on the site. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { addressOf, isPage } from './pages.ts';

/**
 * Returns the path on the site of a file that is not a page, or undefined if only the repository contains the file. JSON
 * files of `docs/`, such as the OpenAPI documents, are published with the pages, because client generators read them.
 */
export const publishedAt = (path: string): string | undefined => /^docs(\/.+\.json)$/.exec(path)?.[1];

/**
 * Returns the target of a relative link on the site.
 * @param repository address of the repository, such as `https://github.com/team/gpu-endpoints`
 * @returns undefined if the target is a file that only the repository contains, and the repository has no address
 */
export function targetOf(page: string, href: string, repository: string | undefined): string | undefined {
  if (/^([a-z][a-z+.-]*:|#|\/)/i.test(href)) return href;
  const [, file = '', rest = ''] = /^([^?#]*)(.*)$/.exec(href) ?? [];
  const path = normalize(join(dirname(page), decodeURI(file))).replace(/\/$/, '');
  // VitePress reports the missing page as a dead link, with the name of this page.
  if (!existsSync(path)) return href;
  const folder = statSync(path).isDirectory();
  const document = folder ? join(path, 'README.md') : path;
  if (isPage(document) && existsSync(document)) return `/${addressOf(document)}${rest}`;
  const published = publishedAt(path);
  if (published !== undefined) return published + rest;
  return repository && `${repository}/${folder ? 'tree' : 'blob'}/HEAD/${path}${rest}`;
}
