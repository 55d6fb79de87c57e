/** Tests the cache of folders that test files of one run share. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { prepared } from './prepared.ts';
import { inRunFolder } from './run-folder.ts';

const created: string[] = [];
afterAll(() => {
  for (const folder of created) rmSync(folder, { recursive: true, force: true });
});

/** Returns a source file, and functions that change it and get the folder that is made from it. */
function sample() {
  const name = `sample-${randomUUID()}`;
  const sources = inRunFolder(name);
  mkdirSync(sources);
  const source = join(sources, 'source');
  const copy = (folder: string) => writeFileSync(join(folder, 'copy'), readFileSync(source));
  return {
    change: (text: string) => writeFileSync(source, text),
    async get(make: (folder: string) => void = copy): Promise<string> {
      const folder = await prepared(name, [join(sources, '*')], make);
      created.push(folder);
      return readFileSync(join(folder, 'copy'), 'utf8');
    },
  };
}

describe('a prepared folder', () => {
  it('is created once for the same sources', async () => {
    const { change, get } = sample();
    change('first');
    await get();
    const fail = () => {
      throw new Error('The folder is created twice.');
    };
    expect(await get(fail)).toBe('first');
  });

  it('is created again in the same run after its sources have changed', async () => {
    const { change, get } = sample();
    change('first');
    expect(await get()).toBe('first');
    change('second');
    expect(await get()).toBe('second');
  });

  it('is created by the next test file after a failure', async () => {
    const { change, get } = sample();
    change('first');
    const fail = () => {
      throw new Error('The synthesis has failed.');
    };
    await expect(get(fail)).rejects.toThrow('The synthesis has failed.');
    expect(await get()).toBe('first');
  });
});
