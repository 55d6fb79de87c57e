/** Tests that no file uses a word that `docs/reference/glossary.md` has retired, and that limits have one form. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

/** History, files of other projects, and the pages that name the words. */
const EXCEPT =
  /^(CHANGELOG\.md|docs\/reference\/(glossary\.md|openapi\/)|test\/(stored-items\/recorded\/|console\/hostile\/|docs\/glossary\.test))/;

/**
 * Allowed names: attributes of stored items, ids of constructs, an IAM path, a constant of zlib, names of the SDK's
 * retries, a feature of Chromium, and a greeting.
 */
const KEPT =
  /hints(?:LostAt|ClaimedAt)|(?<=['"-])Hints(?=['(]|Normal|Low)|\/hints\/|BROTLI_PARAM_SIZE_HINT|(?:retry|getRetry)AfterHint|OptimizationHints|hello\W{1,6}world/gi;

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

const retired = (readFileSync('docs/reference/glossary.md', 'utf8').split('## Retired words')[1] ?? '')
  .split('\n')
  .filter((line) => /^\| [a-z]/.test(line) && !line.startsWith('| retired'))
  .flatMap((line) => (line.split('|')[1] ?? '').split(',').map((word) => word.trim()));

const filesLike = (...patterns: readonly string[]) =>
  execFileSync('git', ['ls-files', ...patterns], { encoding: 'utf8' })
    .split('\n')
    .filter((path) => existsSync(path) && !EXCEPT.test(path));

describe('the glossary', () => {
  it('has retired words that no file uses', () => {
    const files = filesLike('*.ts', '*.tsx', '*.mjs', '*.py', '*.md');
    expect(files.length).toBeGreaterThan(1000);
    expect(retired.length).toBeGreaterThan(10);
    const uses = files.flatMap((path) => {
      const words = new Set([...wordsOf(readFileSync(path, 'utf8'))].map(([word]) => word));
      return retired.filter((word) => words.has(word)).map((word) => `${path}: ${word}`);
    });
    expect(uses).toEqual([]);
  });

  it('has one form for names of limits, which code uses', () => {
    const files = filesLike('*.ts', '*.tsx', '*.mjs');
    expect(files.length).toBeGreaterThan(1000);
    const uses = files.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(OTHER_LIMIT)]
        .filter(([name]) => !NOT_LIMITS.has(name))
        .map(([name]) => `${path}: ${name}`),
    );
    expect(uses).toEqual([]);
  });
});
