/** Tests that no file uses a word that `docs/reference/glossary.md` has retired. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

/** History, files of other projects, and the pages that name the words. */
const EXCEPT =
  /^(CHANGELOG\.md|docs\/reference\/(glossary\.md|openapi\/)|test\/(items\/recorded\/|console\/hostile\/|docs\/glossary\.test))/;

/**
 * Allowed names: attributes of stored items, ids of constructs, an IAM path, a constant of zlib, names of the SDK's
 * retries, a feature of Chromium, and a greeting.
 */
const KEPT =
  /hints(?:LostAt|ClaimedAt)|(?<=['"-])Hints(?=['(]|Normal|Low)|\/hints\/|BROTLI_PARAM_SIZE_HINT|(?:retry|getRetry)AfterHint|OptimizationHints|hello\W{1,6}world/gi;

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

describe('the glossary', () => {
  it('has retired words that no file uses', () => {
    const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.py', '*.md'], { encoding: 'utf8' })
      .split('\n')
      .filter((path) => existsSync(path) && !EXCEPT.test(path));
    expect(files.length).toBeGreaterThan(1000);
    expect(retired.length).toBeGreaterThan(10);
    const uses = files.flatMap((path) => {
      const words = new Set([...wordsOf(readFileSync(path, 'utf8'))].map(([word]) => word));
      return retired.filter((word) => words.has(word)).map((word) => `${path}: ${word}`);
    });
    expect(uses).toEqual([]);
  });
});
