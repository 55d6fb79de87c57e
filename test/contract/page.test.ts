/** Compares the contract page with the tests over HTTP, in both directions. Starts no service. */
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { idsIn, PAGE, readPage, rowsOf } from '../../bin/verify/page.ts';
import { allOperations } from '../../core/operations/all.ts';
import { problemsOf } from './check.ts';
import { missingFrom } from './original.ts';
import { contractTitles, hasProof, readProofs } from './sources.ts';
import { titlesOf } from './titles.ts';

describe('docs/reference/contract.md', () => {
  const rows = rowsOf(readPage());

  it('has a test over HTTP or in a browser for each row, and a row for each id that a test names', () => {
    expect(problemsOf(rows, contractTitles(), readProofs(), hasProof)).toEqual([]);
  });

  it('has the row `route.NAME` for each operation of `core/operations/`', () => {
    const ids = new Set(rows.map(({ id }) => id));
    const missing = Object.keys(allOperations).filter((name) => !ids.has(`route.${name}`));
    expect(missing.map((name) => `${name}: add the row \`route.${name}\` to ${PAGE}, under "Routes"`)).toEqual([]);
  });

  it('has an id in every row of its tables', () => {
    const lines = readPage().match(/^\| (?!id |---).*$/gm) ?? [];
    expect(rows).toHaveLength(lines.length);
    expect(rows.length).toBeGreaterThan(100);
  });

  it('is tested only over HTTP', () => {
    const others = globSync('bin/verify/rows/*.ts').flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/from '(\.[^']*)'/g)]
        .map(([, from]) => from)
        .filter(
          (from) =>
            !/^\.\.\/(?:bursts|client|described|eventually|receiver|suite|wire|\.\.\/\.\.\/lib\/settings\/package-files)\.ts$/.test(
              from ?? '',
            ),
        ),
    );
    expect(others).toEqual([]);
  });
});

describe('the check of a page', () => {
  const page = [
    '## Job',
    '| id | what holds |',
    '| -- | ---------- |',
    '| `job.id` | an id |',
    '| `job.status` | a status |',
    '| `job.seen` | is shown in the console |',
  ].join('\n');
  const rows = rowsOf(page);
  const titles = (...all: string[]) => all.map((title) => ({ file: 'rows/a.ts', title, isInBrowser: false }));
  const seenIn = (...all: string[]) => all.map((title) => ({ file: 'a.long.ts', title, isInBrowser: true }));
  const seen = seenIn('[job.seen] is shown');
  const all = [...titles('[job.id][job.status] exist'), ...seen];
  const proofs = ['is one', 'is long'].map((title) => ({ file: 'test/a.test.ts', title, ids: ['job.id'] }));

  it('reads ids and sections', () => {
    expect(rows.map(({ id, section }) => [id, section])).toEqual([
      ['job.id', 'Job'],
      ['job.status', 'Job'],
      ['job.seen', 'Job'],
    ]);
  });

  it('reports nothing if nothing is wrong', () => {
    expect(problemsOf(rows, all, proofs, () => true)).toEqual([]);
  });

  it.each([
    [
      'a row without a test',
      [...titles('[job.id] exists'), ...seen],
      'job.status has no test over HTTP, in bin/verify/rows/: add one whose title begins with [job.status]',
    ],
    [
      'a row that is tested only in a browser',
      [...titles('[job.id] exists'), ...seenIn('[job.status] x'), ...seen],
      'job.status has no test over HTTP, in bin/verify/rows/: add one whose title begins with [job.status]',
    ],
    [
      'a row of the console without a test in a browser',
      titles('[job.id][job.status][job.seen] exist'),
      'job.seen has no test in the browser, in packages/console/test/: add one whose title begins with [job.seen]',
    ],
    [
      'a test of a missing row',
      [...all, ...titles('[job.if] x')],
      'rows/a.ts tests job.if, which is not a row of the contract: "[job.if] x"',
    ],
  ])('reports %s', (_, those, problem) => {
    expect(problemsOf(rows, those, proofs, () => true)).toEqual([problem]);
  });

  it('reports a missing proof, a proof of a missing row, a repeated id, and an invalid id', () => {
    const gone = problemsOf(rows, all, proofs, ({ title }) => title !== 'is long');
    expect(gone).toEqual(['test/a.test.ts has no test with the title "is long"']);
    const other = [{ file: 'test/a.test.ts', title: 'is one', ids: ['job.if'] }];
    expect(problemsOf(rows, all, other, () => true)).toEqual([
      '"is one" of test/a.test.ts proves job.if, which is not a row of the contract',
    ]);
    expect(problemsOf(rowsOf(`${page}\n| \`job.seen\` | again |`), all, proofs, () => true)).toContain(
      'job.seen is the id of two rows',
    );
    expect(problemsOf(rowsOf('## Job\n| `jobs` | a word |'), titles('[jobs] x'), [], () => true)).toEqual([
      'jobs is not an id. Use words with dots between them, such as job.id',
    ]);
  });
});

describe('the titles of a file', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-titles-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('are the titles of the tests that run', () => {
    const file = join(folder, 'some.test.ts');
    const lines = [
      "it('[a.b] one', () => undefined);",
      "it.each([1])('[a.c][a.d] two %s', (n: number) => n);",
      `for (const n of [1]) it(\`[a.f] \${n} is six\`, () => undefined);`,
      "describe('three', () => { it('four', async () => {}); });",
      "inBrowser('[a.e] five', async ({ page }) => {}, [/x/]);",
      "// it('a comment', () => undefined);",
      "it.skip('skipped', () => undefined); it.todo('to do'); xit('off', () => undefined);",
      "it.skip.each([1])('skipped', () => undefined); const it2 = it; it2('unknown', () => undefined);",
    ];
    writeFileSync(file, lines.join('\n'));
    expect(titlesOf(file)).toEqual(['[a.b] one', '[a.c][a.d] two %s', '[a.f] %s is six', 'four', '[a.e] five']);
    expect(titlesOf(file).map(idsIn)).toEqual([['a.b'], ['a.c', 'a.d'], ['a.f'], [], ['a.e']]);
  });
});

describe('the comparison with a specification', () => {
  const original = [
    '# Contract',
    '## Resources',
    '### Job (of the job interface)',
    '| Field | Type |',
    '|---|---|',
    '| id | string |',
    '| mood | string |',
    '### Template (management interface)',
    '| earned | number |',
    '## States and transitions',
    'States: `IN_QUEUE`. Templates have 77 of them.',
    '## Limits',
    '1. 429 when more than 51 wait at `/run`, `/sing/{job}`, `{id, tune: string}`.',
    '## Authentication',
    'It is 401.',
  ].join('\n');

  it('lists the names and numbers that are not on the page', () => {
    const page = 'The field `id`; IN_QUEUE; `/run`; 429, 4010.';
    const missing = ['mood', 'earned', '77', '/sing/{job}', 'tune', '51', '401'];
    expect(missingFrom(page, original).map(({ fact }) => fact)).toEqual(missing);
  });

  it('lists nothing for a page that has all names and numbers', () => {
    expect(missingFrom('`id` `mood` `earned` 77 IN_QUEUE `/run` `/sing/{job}` tune 429 51 401', original)).toEqual([]);
  });
});
