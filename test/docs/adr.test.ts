import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from '@jest/globals';

const records = globSync('docs/adr/[0-9]*.md').map((file) => ({
  file: basename(file),
  number: basename(file).slice(0, 4),
}));

it('numbers each architecture decision record once', () => {
  expect(records.length).toBeGreaterThan(10);
  const shared = [...Map.groupBy(records, ({ number }) => number).values()].filter(({ length }) => length > 1);
  expect(shared.map((group) => group.map(({ file }) => file))).toEqual([]);
});
