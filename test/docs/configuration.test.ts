/** Tests that the reference of configuration has exactly the fields, rules and defaults of the schemas. */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { differenceIn } from '../../bin/reference/difference.ts';
import { exampleText, FOLDER, markdownOf } from '../../bin/reference/page.ts';
import { pages } from '../../bin/reference/pages.ts';
import { waitsLimits } from '../../core/limits.ts';
import { failureAlarm } from '../../core/webhooks/delivery.ts';
import { type Pool, poolSchema } from '../../lib/capacity/pool-declaration.ts';
import { readEnvironments } from '../../lib/deployment/environments.ts';
import { declarationSchema } from '../../lib/endpoints/declaration-schema.ts';
import { templateSchema } from '../../lib/templates/declaration.ts';
import { readImages } from '../../packages/emulator/ecs/images.ts';
import { type Field, fieldsByPage } from './configuration-fields.ts';

const inOrder = (names: Iterable<string>) => [...names].toSorted((one, other) => one.localeCompare(other));

const read = (page: string) => readFileSync(join(FOLDER, page), 'utf8');

interface Row {
  readonly line: string;
  readonly field: string;
  readonly type: string;
  readonly usual: string;
  readonly allowed: string;
}

/** Returns the rows of the tables of fields, which have six columns. */
const rowsOf = (page: string): Row[] =>
  read(page)
    .split('\n')
    .flatMap((line) => {
      const [, field = '', type = '', usual = '', allowed] =
        /^\| `([\w.]+)` \| ([^|]*) \| ([^|]*) \| ([^|]*) \| [^|]* \| [^|]* \|$/.exec(line) ?? [];
      return allowed === undefined ? [] : [{ line, field, type, usual, allowed }];
    });

/** Returns the value of a default that is one value in code, such as "`60000` (1 min)". */
function usualValue(usual: string): unknown {
  const [, text] = /^`([^`]*)`(?: \([^)]*\))?$/.exec(usual) ?? [];
  return text === undefined ? undefined : parse(text);
}

describe.each(Object.entries(pages))(`${FOLDER}/%s`, (page, make) => {
  const file = join(FOLDER, page);
  const text = read(page);
  const rows = rowsOf(page);
  const fields = fieldsByPage[page] ?? new Map<string, Field>();

  it('is what `npm run generate` writes', () => {
    expect(differenceIn(file, text, markdownOf(make()))).toBeUndefined();
  });

  it('has exactly one row for each field of the schema', () => {
    expect(fields.size).toBeGreaterThan(2);
    expect(inOrder(rows.map(({ field }) => field))).toEqual(inOrder(fields.keys()));
  });

  it('is found to lack each row that is removed, by its field', () => {
    for (const { line, field } of rows)
      expect(differenceIn(file, text.replace(`${line}\n`, ''), markdownOf(make()))).toMatch(
        new RegExp(`^${file}:\\d+: the row of \`${field}\` is missing\\.$`),
      );
  });

  it('is found to have an invented row and a changed row, by their fields', () => {
    const [{ line, field } = { line: '', field: '' }] = rows;
    const invented = line.replace(field, 'invented');
    expect(differenceIn(file, text.replace(line, `${invented}\n${line}`), text)).toMatch(
      /: `invented` is not a field of the schema\.$/,
    );
    expect(differenceIn(file, text.replace(line, line.replace(/ \|$/, ' changed |')), text)).toContain(
      `: the row of \`${field}\` must be "| \`${field}\` |`,
    );
  });

  it('states ranges of numbers whose ends are the last values that the code accepts', () => {
    for (const { field, type, allowed } of rows) {
      const [, min, max] = /^(\d+) to (\d+)\b/.exec(allowed) ?? [];
      // Such a range of a string is the number of its characters or parts.
      if (min === undefined || max === undefined || !type.includes('number')) continue;
      const values = [Number(min) - 1, Number(min), Number(max), Number(max) + 1];
      const accepted = values.map((value) => fields.get(field)?.accepts(value));
      expect([field, ...accepted]).toEqual([field, false, true, true, false]);
    }
  });

  it('states values in code that the code accepts', () => {
    for (const { field, allowed } of rows) {
      const [list] = /^`[^`]+`(?:, `[^`]+`)*(?=$|\.)/.exec(allowed) ?? [];
      for (const [, value = ''] of list?.matchAll(/`([^`]+)`/g) ?? [])
        expect([field, value, fields.get(field)?.accepts(parse(value))]).toEqual([field, value, true]);
    }
  });

  it('states the defaults of the code', () => {
    for (const { field, usual } of rows) {
      const value = usualValue(usual);
      if (value !== undefined) expect([field, value]).toEqual([field, fields.get(field)?.usual]);
    }
  });
});

const root = mkdtempSync(join(tmpdir(), 'gpu-endpoints-configuration-'));
afterAll(() => rmSync(root, { recursive: true }));

const pool = { ...z.parse(poolSchema, parse(exampleText('pool-complete.yaml'))), id: 'nvidia' } as Pool;

function checkEnvironment(text: string): void {
  mkdirSync(join(root, 'environments'), { recursive: true });
  writeFileSync(join(root, 'environments', 'example.yaml'), text);
  readEnvironments(root);
}

function checkImages(text: string): void {
  const list = join(root, 'images.yaml');
  writeFileSync(list, text);
  readImages([{ path: list, folder: root }]);
}

/** Checks an example as the reader of its file does, by the beginning of its name. */
const checks: Readonly<Record<string, (text: string) => unknown>> = {
  endpoint: (text) => z.parse(declarationSchema([pool]), parse(text)),
  pool: (text) => z.parse(poolSchema, parse(text)),
  template: (text) => z.parse(templateSchema, parse(text)),
  environment: checkEnvironment,
  images: checkImages,
};

describe.each(Object.values(pages).map((make) => make()))('the examples of "$title"', ({ examples, rows }) => {
  it.each(examples)('contain a file that the code accepts: $file', ({ file }) => {
    const [kind = ''] = file.split('-');
    expect(checks).toHaveProperty(kind);
    expect(() => checks[kind]?.(exampleText(file))).not.toThrow();
  });

  it('contain every field, at least in a comment', () => {
    const text = examples.map(({ file }) => exampleText(file)).join('\n');
    const fields = rows.map(({ field }) => field).filter((field) => field !== 'environment');
    const isShown = (field: string) => new RegExp(`^(?:# | *)${field.split('.').at(-1)}:`, 'm').test(text);
    expect(fields.filter((field) => !isShown(field))).toEqual([]);
  });
});

/** The files that users copy, with the page about their fields. */
const files = {
  'test/declared/endpoints/*.yaml': 'endpoints.md',
  'test/declared/capacity/*.yaml': 'pools.md',
  'test/declared/templates/*.yaml': 'templates.md',
  'test/declared/environments/*.yaml': 'settings.md',
  'test/declared/images.yaml': 'images.md',
} as const;

/** Returns the fields that the comments of a file list, as in "# maxWorkers: 3   1 to 100". */
function* commentedFields(text: string): Generator<readonly [field: string, value: string | undefined]> {
  let parent = '';
  for (const line of text.split('\n')) {
    const [, indent, name = '', value] = /^# ( *)(\w+):(?: (\S+(?: \S+)*))?(?:\s{2,}|$)/.exec(line) ?? [];
    if (indent === undefined) continue;
    yield [indent === '' ? name : `${parent}.${name}`, value];
    if (indent === '') parent = name;
  }
}

describe.each(Object.entries(files))('the comments in %s', (pattern, page) => {
  const rows = rowsOf(page);
  const texts = globSync(pattern).map((file) => readFileSync(file, 'utf8'));

  it('list only fields of the schema, with the defaults of the reference', () => {
    for (const [field, value] of texts.flatMap((text) => [...commentedFields(text)])) {
      const row = rows.find((each) => each.field === field);
      expect([field, row !== undefined]).toEqual([field, true]);
      const usual = usualValue(row?.usual ?? '');
      if (value !== undefined && usual !== undefined) expect([field, parse(value)]).toEqual([field, usual]);
    }
  });

  it('name the page of the reference', () => {
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expect(text).toContain(`docs/reference/configuration/${page}`);
  });
});

describe('the reference of settings', () => {
  const rows = rowsOf('settings.md');

  /** The names by which `lib/` reads the context, which are constants in the reading files, or names of choices. */
  const contextNames = globSync('lib/**/*.ts', { exclude: ['lib/settings/choice.ts'] }).flatMap((file) => {
    const source = readFileSync(file, 'utf8');
    const choices = [...source.matchAll(/choiceSetting(?:<\w+>)?\('(\w+)'/g)].map(([, name = '']) => name);
    const read = [...source.matchAll(/tryGetContext\((\w+)\)/g)].map(
      ([, constant]) => new RegExp(`^const ${constant} = '(\\w+)'`, 'm').exec(source)?.[1] ?? `${constant} of ${file}`,
    );
    return [...choices, ...read];
  });

  it('has a row for exactly the settings that the code reads', () => {
    expect(contextNames.length).toBeGreaterThan(10);
    const names = rows.map(({ field }) => field).filter((field) => !/\.|^account$|^region$/.test(field));
    expect(inOrder(names)).toEqual(inOrder(contextNames));
  });

  it('has the numbers of the code', () => {
    const of = (setting: string) => rows.find(({ field }) => field === setting);
    expect(of('webhookAlarmPercent')?.usual).toBe(`\`${failureAlarm.percent}\``);
    expect(of('waits')?.allowed).toBe(`${waitsLimits.min} to ${waitsLimits.max}`);
  });
});
