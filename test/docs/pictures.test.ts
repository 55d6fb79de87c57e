/** Tests the pictures of README.md and docs/, which `npm run console:pictures -- --docs` takes. */
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { documented, FOLDER, LARGEST } from '../console/screens/documented.ts';

interface Shown {
  /** Path in this repository. */
  readonly path: string;
  /** The alternative text. Undefined for another version of a picture, such as the one for dark mode. */
  readonly alternative: string | undefined;
}

/** Matches pictures in Markdown and in its HTML. `<img>` has an alternative text, and `<source>` does not. */
const PICTURE =
  /!\[(?<text>[^\]]*)\]\((?<target>[^)\s]+)\)|<img alt="(?<alt>[^"]*)" src="(?<src>[^"]+)"|srcset="(?<srcset>[^"]+)"/g;

const shown: readonly Shown[] = ['README.md', ...globSync('docs/**/*.md')].flatMap((page) =>
  [...readFileSync(page, 'utf8').matchAll(PICTURE)].map(({ groups = {} }) => ({
    path: normalize(join(dirname(page), String(groups.target ?? groups.src ?? groups.srcset))),
    alternative: groups.text ?? groups.alt,
  })),
);

const files = readdirSync(FOLDER).map((file) => join(FOLDER, file));

describe('a picture of the documentation', () => {
  it('is a file, and each picture file is used', () => {
    expect(new Set(shown.map(({ path }) => path))).toEqual(new Set(files));
  });

  it('is taken by the command', () => {
    expect(new Set(documented.map(({ file }) => join(FOLDER, file)))).toEqual(new Set(files));
  });

  it('has an alternative text', () => {
    const texts = shown.flatMap(({ alternative }) => alternative ?? []);
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.filter((text) => text.length < 40)).toEqual([]);
  });

  it('is small enough for every clone', () => {
    expect(files.filter((file) => statSync(file).size > LARGEST)).toEqual([]);
  });
});
