/** Tests that the emulator knows nothing of the product that it runs: neither its files nor its words. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '..');

/** Tests and their configuration use the test runner of the repository. */
const files = globSync('**/*.ts', { cwd: root, exclude: ['{node_modules,test}/**'] }).toSorted();

/** Returns the text without the name of this package. */
const textOf = (file: string) => readFileSync(join(root, file), 'utf8').replaceAll('@gpu-endpoints/emulator', '');

/**
 * Words of the product. AWS has some of them too: `Endpoint` in names of its resources, `agent` of ECS and of HTTP,
 * `worker` of Node.js, `console` of JavaScript.
 */
const words = [
  /gpu-?endpoints/i,
  /\bjobs?\b/i,
  /\bworkers?\b(?! threads?\b)(?!_threads)/,
  /\bwebhooks?\b/i,
  /\brunpod\b/i,
  /\bingress\b/,
  /\bendpoints\b/,
  /--endpoint\b|Endpoint-/,
  /\bconsole\b(?!\.| =)/,
  /\bfirst key\b/i,
  /images\.yaml/,
  /\b(?:JobApiUrl|ManagementApiUrl|KeysTable|AGENT_PORT|Custom::\w+)\b/,
  /\bbin\/\w+/,
];

it('has no words of the product', () => {
  const found = [...files, 'README.md'].flatMap((file) =>
    textOf(file)
      .split('\n')
      .flatMap((line, at) => (words.some((word) => word.test(line)) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});

it('imports only packages and files of this folder', () => {
  const imported = files.flatMap((file) =>
    [...textOf(file).matchAll(/(?:from |import\()'(\.[^']+)'/g)].map(([, name = '']) => ({
      file,
      target: relative(root, join(root, dirname(file), name)),
    })),
  );
  expect(imported.length).toBeGreaterThan(files.length);
  expect(imported.filter(({ target }) => target.startsWith('..'))).toEqual([]);
});
