/**
 * Tests that no file uses a word or identifier that `docs/reference/glossary.md` has retired, and that limits have one
 * form.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parseSync } from '@swc/core';

/** History, files of other projects, and the pages that name the words. */
const EXCEPT =
  /^(CHANGELOG\.md|docs\/reference\/(glossary\.md|openapi\/)|packages\/console\/test\/hostile\/|test\/(stored-items\/recorded\/|docs\/glossary\.test))/;

/**
 * Allowed names: attributes of stored items, ids of constructs, an IAM path, a constant of zlib, names of the SDK's
 * retries, a feature of Chromium, a field of the Model Context Protocol, and a greeting.
 */
const KEPT =
  /hints(?:LostAt|ClaimedAt)|(?<=['"-])Hints(?=['(]|Normal|Low)|\/hints\/|BROTLI_PARAM_SIZE_HINT|(?:retry|getRetry)AfterHint|OptimizationHints|readOnlyHint|hello\W{1,6}world/gi;

/** Names of limits in other forms than `max...` and `min...`. */
const OTHER_LIMIT =
  /\b(?:(?:most|least|fewest|longest|largest)[A-Z]\w*|(?:MOST|LEAST|FEWEST|LONGEST|LARGEST)(?:_\w+)?)\b|(?<=[a-z]\.|\b(?:const|let|readonly) |\$\{)(?:most|least|fewest)\b/g;

/** Allowed names: a stored attribute, a figure of browsers, a constant of CDK, and names that are not limits. */
const NOT_LIMITS = new Set([
  'largestDiskInGb',
  'largestPaint',
  'LEAST_OUTSTANDING_REQUESTS',
  'largestFirst',
  'largestOf',
  'longestHalf',
  'mostUsed',
]);

/** Returns the words of a string, including those within identifiers. */
const wordsOf = (text: string) =>
  text
    .replaceAll(KEPT, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .matchAll(/[a-z]+/g);

/** Files that read or write the attribute `why` of a stored fleet state. */
const STORED = /^core\/(endpoints\/fleet-state|releases\/follow|workers\/(back-off|apply-facts))\.ts$/;

const page = readFileSync('docs/reference/glossary.md', 'utf8');

/** Returns the entries in the first column of the table below a heading. */
function retiredBelow(heading: string): string[] {
  const [section = ''] = (page.split(`## ${heading}\n`)[1] ?? '').split('\n## ');
  return section
    .split('\n')
    .filter((line) => /^\| [a-z]/i.test(line) && !line.startsWith('| retired'))
    .flatMap((line) => (line.split('|')[1] ?? '').split(',').map((entry) => entry.trim()));
}

function* identifiersIn(value: unknown): Generator<string, void> {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value && value.type === 'Identifier' && 'value' in value) yield String(value.value);
  for (const child of Object.values(value)) yield* identifiersIn(child);
}

/** Returns the tracked files that match the patterns, up to exceptions. */
const filesOf = (...patterns: string[]): string[] =>
  execFileSync('git', ['ls-files', ...patterns], { encoding: 'utf8' })
    .split('\n')
    .filter((path) => existsSync(path) && !EXCEPT.test(path));

describe('the glossary', () => {
  it('has retired words that no file uses', () => {
    const retired = retiredBelow('Retired words');
    const files = filesOf('*.ts', '*.tsx', '*.mjs', '*.py', '*.md');
    expect(files.length).toBeGreaterThan(1000);
    expect(retired.length).toBeGreaterThan(10);
    const uses = files.flatMap((path) => {
      const words = new Set([...wordsOf(readFileSync(path, 'utf8'))].map(([word]) => word));
      return retired.filter((word) => words.has(word)).map((word) => `${path}: ${word}`);
    });
    expect(uses).toEqual([]);
  });

  it('has one form for names of limits, which code uses', () => {
    const files = filesOf('*.ts', '*.tsx', '*.mjs');
    expect(files.length).toBeGreaterThan(1000);
    const uses = files.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(OTHER_LIMIT)]
        .filter(([name]) => !NOT_LIMITS.has(name))
        .map(([name]) => `${path}: ${name}`),
    );
    expect(uses).toEqual([]);
  });

  it('has retired identifiers that no source uses', () => {
    const retired = retiredBelow('Retired identifiers');
    expect(retired).toEqual(expect.arrayContaining(['isThere', 'OURS', 'why']));
    const uses = filesOf('*.ts', '*.tsx').flatMap((path) => {
      const text = readFileSync(path, 'utf8');
      // Most files have none of the words, and need not be parsed.
      const named = retired.filter((word) => text.includes(word) && !(word === 'why' && STORED.test(path)));
      if (named.length === 0) return [];
      const identifiers = new Set(identifiersIn(parseSync(text, { syntax: 'typescript', tsx: path.endsWith('x') })));
      return named.filter((word) => identifiers.has(word)).map((word) => `${path}: ${word}`);
    });
    expect(uses).toEqual([]);
  });
});
