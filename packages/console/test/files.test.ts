import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { type Built, writeFiles } from '../build/files.ts';
import { sourcesHash } from '../build/sources.ts';

const SCRIPT = 'console.log("a script that is long enough to be worth it");\n'.repeat(50);

/** Creates a folder with these files. */
function folderOf(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'console-'));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

async function written(files: Readonly<Record<string, string | Buffer>>) {
  const to = folderOf({});
  await writeFiles(folderOf({ '.vite/manifest.json': '{}', ...files }), to, 'abc');
  const built = JSON.parse(readFileSync(join(to, 'files.json'), 'utf8')) as Built;
  return { to, built };
}

describe('the files of a build', () => {
  it('are cached for a year if their names change with their content, and revalidated if not', async () => {
    const { built } = await written({ 'index.html': '<p>', 'assets/index-1a2b.js': SCRIPT });
    expect(Object.fromEntries(built.files.map(({ path, cacheControl }) => [path, cacheControl]))).toEqual({
      'index.html': 'no-cache',
      'assets/index-1a2b.js': 'public, max-age=31536000, immutable',
    });
  });

  it('are compressed if they are text, and have the content types that browsers need', async () => {
    const picture = Buffer.from([137, 80, 78, 71]);
    const { to, built } = await written({ 'assets/a.js': SCRIPT, 'assets/b.css': 'a{}', 'assets/c.png': picture });
    expect(built.files.map(({ path, contentType, encoding }) => [path, contentType, encoding])).toEqual([
      ['assets/a.js', 'text/javascript; charset=utf-8', 'br'],
      ['assets/b.css', 'text/css; charset=utf-8', 'br'],
      ['assets/c.png', 'image/png', undefined],
    ]);
    const compressed = readFileSync(join(to, 'assets/a.js'));
    expect(compressed.length).toBeLessThan(SCRIPT.length / 10);
    expect(brotliDecompressSync(compressed).toString()).toBe(SCRIPT);
    expect(readFileSync(join(to, 'assets/c.png'))).toEqual(picture);
  });

  it('make the build fail if their type is unknown', async () => {
    await expect(written({ 'assets/a.exe': 'x' })).rejects.toThrow('assets/a.exe, whose type');
  });
});

describe('the hash of the sources', () => {
  const sources = {
    'packages/console/main.tsx': 'a',
    'packages/console/style.css': 'b',
    'package-lock.json': '{}',
    'tsconfig.json': '{}',
  };
  const hash = (changes: Readonly<Record<string, string>> = {}) =>
    sourcesHash(join(folderOf({ ...sources, ...changes }), 'packages/console'));

  it('is the same for the same sources', () => {
    expect(hash()).toBe(hash());
  });

  it.each([
    ['a page', { 'packages/console/main.tsx': 'c' }],
    ['a new page', { 'packages/console/pages/new.tsx': 'c' }],
    ['a style', { 'packages/console/style.css': 'c' }],
    ['a package', { 'package-lock.json': '{"a":1}' }],
  ])('changes with %s', (_what, changes) => {
    expect(hash(changes)).not.toBe(hash());
  });

  it('does not depend on files that the build does not read', () => {
    const others = { 'packages/console/test/a.test.ts': 'c', 'packages/console/dist/files/files.json': '{}' };
    expect(hash({ 'docs/guides/console.md': 'c', 'core/job.ts': 'c', ...others })).toBe(hash());
  });
});
