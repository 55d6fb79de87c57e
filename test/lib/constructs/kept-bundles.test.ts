import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Built, keptBundles } from '../../../lib/constructs/kept-bundles.ts';

let folder: string;
let repository: string;
let file: string;
let builds: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bundles-'));
  repository = join(folder, 'repository');
  file = join(folder, 'cache/bundles');
  builds = 0;
  mkdirSync(repository);
  for (const name of ['repository/a.ts', 'outside.js']) writeFileSync(join(folder, name), 'first');
});

const build = (): Built => {
  builds += 1;
  return { bundles: new Map([['a.ts', Buffer.from(`build ${builds}`)]]), inputs: ['a.ts', '../outside.js'] };
};

/** @returns the code of the bundle */
const bundled = (settings = 'minified', root = repository) =>
  Buffer.from(keptBundles(file, settings, root, build).get('a.ts') ?? []).toString();

describe('the kept bundles', () => {
  it('are used again while nothing changes', () => {
    expect([bundled(), bundled()]).toEqual(['build 1', 'build 1']);
  });

  it.each([
    ['an input of the repository changes', () => writeFileSync(join(repository, 'a.ts'), 'second')],
    ['an input outside the repository changes', () => writeFileSync(join(folder, 'outside.js'), 'second')],
    ['their file is damaged', () => writeFileSync(file, 'not bundles')],
    ['their file is removed', () => rmSync(file)],
  ])('are replaced if %s', (_, change) => {
    const before = bundled();
    change();
    expect([before, bundled(), bundled()]).toEqual(['build 1', 'build 2', 'build 2']);
  });

  it('are not used while an input is missing', () => {
    const before = bundled();
    rmSync(join(folder, 'outside.js'));
    expect(() => bundled()).toThrow('ENOENT');
    writeFileSync(join(folder, 'outside.js'), 'first');
    expect([before, bundled()]).toEqual(['build 1', 'build 1']);
    expect(builds).toBe(2);
  });

  it('are replaced if the settings change', () => {
    expect([bundled(), bundled('readable'), bundled('readable')]).toEqual(['build 1', 'build 2', 'build 2']);
  });

  it('are used by a copy of the repository with the same sources, and not by one with others', () => {
    const copy = join(folder, 'copy');
    mkdirSync(copy);
    writeFileSync(join(copy, 'a.ts'), 'first');
    expect([bundled(), bundled('minified', copy)]).toEqual(['build 1', 'build 1']);
    writeFileSync(join(copy, 'a.ts'), 'second');
    expect(bundled('minified', copy)).toBe('build 2');
  });

  it('are built each time if they cannot be written', () => {
    mkdirSync(file, { recursive: true });
    expect([bundled(), bundled()]).toEqual(['build 1', 'build 2']);
  });
});
