/**
 * Tests the pictures of README.md and docs/: those of the console, which `npm run pictures -w packages/console -- --docs` takes, and
 * the diagrams, which are written by hand, and the plots of `npm run bench -w packages/lab -- growth`.
 */
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { transitions } from '../../core/jobs/transitions.ts';
import { documented, FOLDER, MAX_BYTES } from '../../packages/console/test/screens/documented.ts';

interface Shown {
  /** Path in this repository. */
  readonly path: string;
  /** The alternative text. Undefined for another version of a picture, such as the one for dark mode. */
  readonly alternative: string | undefined;
}

/** Folder of the diagrams in this repository. */
const DIAGRAMS = 'docs/diagrams';

/** Maximum size of a diagram in bytes. */
const MAX_DIAGRAM_LENGTH = 40_000;

/** Matches pictures in Markdown and in its HTML. `<img>` has an alternative text, and `<source>` does not. */
const PICTURE =
  /!\[(?<text>[^\]]*)\]\((?<target>[^)\s]+)\)|<img alt="(?<alt>[^"]*)" src="(?<src>[^"]+)"|srcset="(?<srcset>[^"]+)"/g;

const shown: readonly Shown[] = ['README.md', ...globSync('docs/**/*.md')].flatMap((page) =>
  [...readFileSync(page, 'utf8').matchAll(PICTURE)].map(({ groups = {} }) => ({
    path: normalize(join(dirname(page), String(groups.target ?? groups.src ?? groups.srcset))),
    alternative: groups.text ?? groups.alt,
  })),
);

const byText = (one: string, other: string) => one.localeCompare(other, 'en');

const filesIn = (folder: string) => readdirSync(folder).map((file) => join(folder, file));

const taken = filesIn(FOLDER);
const diagrams = filesIn(DIAGRAMS);

describe('a picture of the documentation', () => {
  it('is a file, and each picture file is used', () => {
    expect(new Set(shown.map(({ path }) => path))).toEqual(new Set([...taken, ...diagrams]));
  });

  it('has an alternative text', () => {
    const texts = shown.flatMap(({ alternative }) => alternative ?? []);
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.filter((text) => text.length < 40)).toEqual([]);
  });
});

describe('a picture of the console', () => {
  it('is taken by the command', () => {
    expect(new Set(documented.map(({ file }) => join(FOLDER, file)))).toEqual(new Set(taken));
  });

  it('is small enough for every clone', () => {
    expect(taken.filter((file) => statSync(file).size > MAX_BYTES)).toEqual([]);
  });
});

describe.each(diagrams)('%s', (path) => {
  const text = readFileSync(path, 'utf8');
  const [style = ''] = /<style>.*<\/style>/s.exec(text) ?? [];

  it('is an SVG file of at most 40 KB', () => {
    expect(path).toMatch(/\.svg$/);
    expect(text.length).toBeLessThanOrEqual(MAX_DIAGRAM_LENGTH);
  });

  it('has a title and the role of an image, and scales with the page', () => {
    expect(text).toMatch(/^<svg [^>]*viewBox="0 0 \d+ \d+"[^>]*role="img">\n {2}<title>[^<]{15,}<\/title>/);
  });

  it('has no script, and refers to nothing outside of the file', () => {
    const namespace = 'xmlns="http://www.w3.org/2000/svg"';
    expect(text.replace(namespace, '')).not.toMatch(/https?:|href|@import|@font-face|<script|<image|url\((?!#)/i);
  });

  it('has colours for both themes, and no colours outside of its style', () => {
    expect(style).toContain('@media (prefers-color-scheme: dark)');
    expect(text.replace(style, '')).not.toMatch(/(?:fill|stroke|style|color)="/);
  });

  it('has a style for each class that it uses', () => {
    const used = [...text.matchAll(/class="([^"]+)"/g)].flatMap(([, names = '']) => names.split(' '));
    const defined = [...style.matchAll(/\.([a-z]+) \{/g)].map(([, name]) => name);
    expect(new Set(used)).toEqual(new Set(defined));
  });
});

describe('the diagram of the states of a job', () => {
  const text = readFileSync(join(DIAGRAMS, 'states-of-a-job.svg'), 'utf8');
  const changes = Object.entries(transitions).flatMap(([name, row]) =>
    'to' in row ? row.from.filter((from) => from !== row.to).map((from) => [name, from, row.to] as const) : [],
  );

  it('has an arrow for each transition that changes the status, and no other', () => {
    const arrows = [...text.matchAll(/data-transition="([^"]+)"/g)].map(([, arrow = '']) => arrow);
    expect(arrows.toSorted(byText)).toEqual(
      changes.map(([name, from, to]) => `${name}: ${from} to ${to}`).toSorted(byText),
    );
  });

  it('shows the name of each of these transitions and states', () => {
    const names = [...text.matchAll(/<text [^>]*>([^<]+)<\/text>/g)].map(([, name]) => name);
    expect(names).toEqual(expect.arrayContaining(changes.flat()));
  });
});
