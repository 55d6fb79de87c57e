/** Checks the files of a built site: what its pages refer to exists, and is requested from no other site. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';

export interface Report {
  readonly pages: number;
  readonly links: number;
  readonly anchors: number;
  /** One line for each failure: the page, the reference, and what is wrong. */
  readonly failures: readonly string[];
}

interface Reference {
  readonly element: string;
  readonly attribute: string;
  readonly value: string;
}

interface Page {
  readonly ids: ReadonlySet<string>;
  readonly references: readonly Reference[];
}

const TAG = /<([a-z][a-z0-9-]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>/gi;
const ATTRIBUTE = /([a-z-]+)="([^"]*)"/gi;
const REFERRING = ['href', 'src', 'srcset', 'poster'];
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const decoded = (text: string) => text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '');

/** Returns the addresses of an attribute: `srcset` is a list of addresses, each with a width or a density. */
const addressesIn = (attribute: string, value: string) =>
  attribute === 'srcset' ? value.split(',').map((one) => one.trim().split(/\s+/)[0] ?? '') : [value];

function read(html: string): Page {
  const ids = new Set<string>();
  const references: Reference[] = [];
  const elements = html.replaceAll(/<!--.*?-->/gs, '').replaceAll(/(<(script|style)\b[^>]*>).*?<\/\2>/gs, '$1');
  for (const [, element = '', attributes = ''] of elements.matchAll(TAG))
    for (const [, attribute = '', text = ''] of attributes.matchAll(ATTRIBUTE)) {
      if (attribute === 'id') ids.add(decoded(text));
      if (!REFERRING.includes(attribute)) continue;
      for (const value of addressesIn(attribute, decoded(text))) references.push({ element, attribute, value });
    }
  return { ids, references };
}

const isExternal = (value: string) => /^(https?:)?\/\//i.test(value);

/** Matches `data:`, `mailto:` and similar addresses, which refer to no file. */
const WITHOUT_FILE = /^[a-z][a-z0-9+.-]*:/i;

/**
 * Checks a built site.
 * @param folder the folder with its files
 * @param base the path of the site on its host, such as `/` or `/gpu-endpoints/`
 */
export function checkSite(folder: string, base: string): Report {
  const paths = globSync('**/*.html', { cwd: folder }).toSorted();
  const pages = new Map(paths.map((path) => [path, read(readFileSync(join(folder, path), 'utf8'))]));
  const failures: string[] = [];
  let links = 0;
  let anchors = 0;

  /** Returns the file of the site that a reference names, or undefined if there is none. */
  function fileOf(page: string, address: string): string | undefined {
    if (address === '') return page;
    const at = posix.join(base, page);
    const path = decodeURI(posix.resolve(posix.dirname(at), address)) + (address.endsWith('/') ? '/' : '');
    if (!path.startsWith(base)) return undefined;
    const file = path.slice(base.length).replace(/(^|\/)$/, '$1index.html');
    return existsSync(join(folder, file)) && statSync(join(folder, file)).isFile() ? file : undefined;
  }

  /** Returns what is wrong with a reference, or undefined. */
  function problemOf(page: string, { element, value }: Reference): string | undefined {
    if (isExternal(value)) return element === 'a' ? undefined : 'is requested from another site';
    if (WITHOUT_FILE.test(value)) return undefined;
    links += 1;
    const [address = '', anchor = ''] = value.split('#');
    const file = fileOf(page, address.replace(/\?.*/, ''));
    if (file === undefined) return 'is no file of the site';
    if (anchor === '') return undefined;
    anchors += 1;
    return pages.get(file)?.ids.has(decodeURIComponent(anchor)) ? undefined : `names no heading of ${file}`;
  }

  for (const [page, { references }] of pages)
    for (const reference of references) {
      const problem = problemOf(page, reference);
      if (problem !== undefined)
        failures.push(`${page}: ${reference.element} ${reference.attribute}="${reference.value}" ${problem}`);
    }
  for (const path of globSync('**/*.css', { cwd: folder }).toSorted())
    for (const [, value = ''] of readFileSync(join(folder, path), 'utf8').matchAll(/(?:url\(|@import )["']?([^"')]+)/g))
      if (isExternal(value)) failures.push(`${path}: ${value} is requested from another site`);
  return { pages: pages.size, links, anchors, failures: [...new Set(failures)] };
}
