/** Tests that errors keep their class in logs: bundles are minified, so only the property `name` says it. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

interface ErrorClass {
  readonly file: string;
  readonly name: string;
  readonly base: string;
  readonly isNamed: boolean;
}

const CLASS = /^\s*(?:export )?(abstract )?class (\w+)(?:<.*>)? extends (\w+)/gm;

/** A class whose instances have the names of AWS sets the name in its constructor. */
const NAME = /override readonly name(?:: string)? = '|this\.name = name;/;

function classesIn(file: string): ErrorClass[] {
  const text = readFileSync(file, 'utf8');
  const found = [...text.matchAll(CLASS)];
  return found.map(({ index, 1: abstract, 2: name = '', 3: base = '' }, i) => {
    const body = text.slice(index, found[i + 1]?.index);
    return { file, name, base, isNamed: abstract !== undefined || NAME.test(body) };
  });
}

it('names each class of errors by its property `name`', () => {
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { encoding: 'utf8' }).trim().split('\n');
  const classes = files.flatMap(classesIn);
  const errors = new Set(['Error']);
  for (let known = 0; known < errors.size; ) {
    known = errors.size;
    for (const { name, base } of classes) if (errors.has(base)) errors.add(name);
  }
  const found = classes.filter(({ base }) => errors.has(base));
  expect(found.length).toBeGreaterThan(60);
  expect(found.filter(({ isNamed }) => !isNamed).map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
});
