import { describe, expect, it } from '@jest/globals';
import { type ConsoleFile, type ConsoleStore, KEPT, publish, type Replaced } from '../../core/console/publish.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);

/** A bucket in memory that records the order of its requests. */
function memoryStore() {
  const files = new Map<string, ConsoleFile>();
  const written: string[] = [];
  let replaced: Replaced = {};
  const store: ConsoleStore = {
    paths: async () => [...files.keys()],
    async write(file) {
      // Files of one step can arrive in any order.
      await Promise.resolve();
      files.set(file.path, file);
      written.push(file.path);
    },
    async remove(path) {
      files.delete(path);
    },
    readReplaced: async () => replaced,
    async writeReplaced(next) {
      replaced = next;
    },
    async clear() {
      files.clear();
      replaced = {};
    },
  };
  return { store, written, paths: () => new Set(files.keys()) };
}

const file = (path: string): ConsoleFile => ({
  path,
  contentType: 'text/javascript',
  cacheControl: 'no-cache',
  content: Buffer.from(path),
});

const build = (name: string) => [file('index.html'), file(`assets/${name}.js`), file('config.json')];

describe('publishing a build of the console', () => {
  it('writes the page after the files that it loads', async () => {
    const { store, written } = memoryStore();
    await publish(store, build('a'), START);
    expect(written.at(-1)).toBe('index.html');
    expect(written).toHaveLength(3);
  });

  it('keeps the files of the previous build for 30 days, for open pages', async () => {
    const { store, paths } = memoryStore();
    await publish(store, build('a'), START);
    // The build was current for a long time. The 30 days count from its replacement.
    const replaced = START + 90 * DAY;
    await publish(store, build('b'), replaced);
    await publish(store, build('b'), replaced + KEPT - 1);
    expect(paths()).toEqual(new Set(['assets/a.js', 'assets/b.js', 'config.json', 'index.html']));

    await publish(store, build('b'), replaced + KEPT);
    expect(paths()).toEqual(new Set(['assets/b.js', 'config.json', 'index.html']));
  });

  it('restarts the 30 days for a file that a later build contained again', async () => {
    const { store, paths } = memoryStore();
    await publish(store, build('a'), START);
    await publish(store, build('b'), START + 10 * DAY);
    await publish(store, build('a'), START + 20 * DAY);
    await publish(store, build('b'), START + 35 * DAY);
    await publish(store, build('b'), START + 45 * DAY);
    expect(paths()).toContain('assets/a.js');
    await publish(store, build('b'), START + 65 * DAY);
    expect(paths()).not.toContain('assets/a.js');
  });
});
