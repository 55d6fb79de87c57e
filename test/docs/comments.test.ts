/** Tests the comments of all code. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((file) => existsSync(file));
const entries = new Set(
  tracked.flatMap((file) => {
    const parts = file.split('/');
    return parts.map((_, i) => parts.slice(0, i + 1).join('/'));
  }),
);
const code = tracked.filter((file) => /\.(ts|tsx|mjs)$/.test(file));
/** Folders at the root that have code; a team can have other declarations than this repository. */
const rooms = new Set(code.filter((file) => file.includes('/')).map((file) => file.split('/')[0]));

/** A line of a comment, with its place. */
interface Line {
  readonly place: string;
  readonly text: string;
}

const commentLines = (file: string): Line[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, i) => (/^\s*(\/\*\*|\*|\/\/)/.test(text) ? [{ place: `${file}:${i + 1}`, text }] : []));

/** A docstring that begins with a tag, and the first line of the code that it describes. */
const TAGS_ALONE = /\/\*\*\s*(?:\*\s*)?@(?:(?!\*\/).)*\*\/\s*([^\n]*)/gs;

/**
 * Returns the paths that a line names: of TypeScript files, such as `store.ts`, and those that begin with a room, such as
 * `core/jobs/`. Capitals stand for a part of the name, as in `NAME-api.mjs`.
 */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/(?<![\w./<@-])[\w./-]*\w/g)]
    .map(([path]) => path)
    .filter((path) => /\w\.(ts|tsx|mjs)$/.test(path) || (path.includes('/') && rooms.has(path.split('/')[0])))
    .filter((path) => !/[A-Z]{3}/.test(path));

/** Returns what follows the path in an entry that begins with it, or an empty string. */
const rest = (entry: string, path: string): string => (entry.startsWith(path) ? entry.slice(path.length) : '');

/** Returns whether a file or folder has this path, or ends with it. `docs/adr/0016` stands for the file that begins so. */
const exists = (path: string): boolean =>
  entries.has(path) || [...entries].some((entry) => entry.endsWith(`/${path}`) || /^[.-]/.test(rest(entry, path)));

describe('the comments', () => {
  it('name files and folders that exist', () => {
    const lines = code.flatMap(commentLines);
    expect(lines.length).toBeGreaterThan(5000);
    const missing = lines.flatMap(({ place, text }) =>
      pathsIn(text)
        .filter((path) => !exists(path))
        .map((path) => `${place}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it('begin a line with each tag, below the sentence that it completes', () => {
    const within = code
      .flatMap(commentLines)
      .filter(({ text }) => /\w.*\s@(param|returns|throws|default)\b/.test(text));
    expect(within.map(({ place, text }) => `${place}: ${text.trim()}`)).toEqual([]);
  });

  it('begin with a sentence in the product, except those of constructors and of the code that deploys it', () => {
    const files = code.filter((file) => /^(core|aws|lambda|worker|ingress)\//.test(file));
    expect(files.length).toBeGreaterThan(250);
    const alone = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(TAGS_ALONE)]
        .map(([, described = '']) => described)
        .filter((described) => !described.startsWith('constructor('))
        .map((described) => `${file}: ${described}`),
    );
    expect(alone).toEqual([]);
  });
});
