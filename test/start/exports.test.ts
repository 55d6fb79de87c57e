/** Tests that the product uses of the emulator only what any CDK app can use. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

const PACKAGE = 'packages/emulator';

it('imports only the exports of the emulator, and the emulator exports nothing else', () => {
  const { exports: exported } = JSON.parse(readFileSync(`${PACKAGE}/package.json`, 'utf8')) as {
    exports: Readonly<Record<string, string>>;
  };
  const sources = globSync('{aws,bin,core,ingress,lambda,lib,worker}/**/*.{ts,mjs}').map((file) =>
    readFileSync(file, 'utf8'),
  );
  const imported = sources.flatMap((text) =>
    [...text.matchAll(/'(?:\.\.\/)+packages\/emulator\/([^']+)'/g)].map(([, path]) => `./${path}`),
  );
  expect(new Set(imported)).toEqual(new Set(Object.values(exported)));
});
