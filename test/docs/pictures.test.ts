/** The pictures of README.md and docs/. `npm run console:pictures -- --docs` takes them. */
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { documented, FOLDER, LARGEST } from '../console/screens/documented.ts';

interface Shown {
  /** In this repository. */
  readonly path: string;
  /** Undefined of another version of a picture, such as that for dark pages. */
  readonly alternative: string | undefined;
}

/** Of Markdown, and of the HTML in it: `<img>` has its text, `<source>` has none of its own. */
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
  it('is a file, and each file is shown', () => {
    expect(new Set(shown.map(({ path }) => path))).toEqual(new Set(files));
  });

  it('is one that the command takes', () => {
    expect(new Set(documented.map(({ file }) => join(FOLDER, file)))).toEqual(new Set(files));
  });

  it('has a text for readers who do not see it', () => {
    const texts = shown.flatMap(({ alternative }) => alternative ?? []);
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.filter((text) => text.length < 40)).toEqual([]);
  });

  it('is small enough for every clone', () => {
    expect(files.filter((file) => statSync(file).size > LARGEST)).toEqual([]);
  });
});
