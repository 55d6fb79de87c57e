/** Computes how much a browser loads to show each page of the console. */
import type { Built, Chunk } from './files.ts';

/** Source of the one HTML page, and prefix of the sources of its lazy pages. */
const PAGE = 'index.html';
const LAZY = /^pages\//;

/** Compressed sizes in bytes. */
export interface RouteSize {
  /** Source of the page, or `shell` for the files that all pages load. */
  readonly route: string;
  readonly script: number;
  readonly style: number;
}

/** Returns the files of a chunk and of all chunks that it loads immediately. */
function filesOf(chunks: Built['chunks'], source: string, seen = new Set<string>()): Set<string> {
  const chunk: Chunk | undefined = chunks[source];
  if (!chunk || seen.has(source)) return new Set();
  seen.add(source);
  const below = (chunk.imports ?? []).flatMap((each) => [...filesOf(chunks, each, seen)]);
  return new Set([chunk.file, ...(chunk.css ?? []), ...below]);
}

/** Sources that the shell loads lazily but needs before it shows a page. */
const NEEDED = /oidc-client-ts/;

/**
 * @param sizeOf returns the size of a built file in bytes
 * @throws Error if the build has no page
 */
export function sizesOf({ chunks }: Pick<Built, 'chunks'>, sizeOf: (file: string) => number): RouteSize[] {
  const entry = chunks[PAGE];
  if (!entry) throw new Error(`The build has no ${PAGE}.`);
  const later = Object.keys(chunks).filter((source) => chunks[source]?.isDynamicEntry);
  const shell = [PAGE, ...later.filter((source) => NEEDED.test(source))];
  const sizeFor = (route: string, sources: readonly string[]): RouteSize => {
    const files = [...new Set(sources.flatMap((source) => [...filesOf(chunks, source)]))];
    const sum = (extension: string) =>
      files.filter((file) => file.endsWith(extension)).reduce((total, file) => total + sizeOf(file), 0);
    return { route, script: sum('.js'), style: sum('.css') };
  };
  return [
    sizeFor('shell', shell),
    ...later.filter((source) => LAZY.test(source)).map((source) => sizeFor(source, [...shell, source])),
  ];
}

/**
 * Limits in KB of 1,000 bytes: `shell` for the files that all pages load, and `route` for all files that a page loads
 * initially.
 */
export const bars = { shell: 300, route: 340 } as const;

const KB = 1_000;

/** Returns the routes that exceed their limit. */
export const tooLarge = (sizes: readonly RouteSize[]): RouteSize[] =>
  sizes.filter(({ route, script, style }) => script + style > (route === 'shell' ? bars.shell : bars.route) * KB);
