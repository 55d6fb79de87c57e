/** Compares the lists of README.md with the code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { resourceTypeOf } from '../cloudformation/resource-types.ts';

const textOf = (file: string) => readFileSync(join(import.meta.dirname, '..', file), 'utf8');

const readme = textOf('README.md');

it('has all supported resource types', () => {
  const rows = [...readme.matchAll(/^\| `(AWS::\w+)` .*$/gm)];
  const listed = rows.flatMap(([row, service]) =>
    [...row.matchAll(/`(\w+)`/g)].map(([, type]) => `${service}::${type}`),
  );
  expect(listed.filter((type) => !resourceTypeOf(type))).toEqual([]);
  const source = textOf('cloudformation/resource-types.ts');
  const supported = [...source.matchAll(/^ {2}'(AWS::\w+::\w+)':/gm)].map(([, type]) => type);
  expect(new Set(supported)).toEqual(new Set(listed));
});

it('has all exports', () => {
  const { exports: exported } = JSON.parse(textOf('package.json')) as { exports: Readonly<Record<string, string>> };
  const section = readme.slice(readme.indexOf('## Which exports'), readme.indexOf('## Which resources'));
  const listed = [...section.matchAll(/^\| `([\w-]+)` /gm)].map(([, name]) => `./${name}`);
  expect(new Set(listed)).toEqual(new Set(Object.keys(exported)));
});
