/** Lists the tests of a file with their times, in the format of Jest. */
import type { AssertionResult, TestResult } from '@jest/test-result';

const MARKS: Partial<Record<AssertionResult['status'], string>> = { passed: '✓', failed: '✕', todo: '✎' };

function lineOf({ status, title, duration, ancestorTitles }: AssertionResult): string {
  const time = duration ? ` (${Math.round(duration)} ms)` : '';
  return `${'  '.repeat(ancestorTitles.length + 1)}${MARKS[status] ?? '○'} ${title}${time}`;
}

/** @param file path relative to the repository */
export function listOfTests(file: string, { testResults, numFailingTests, testExecError }: TestResult): string {
  const lines = [`${numFailingTests > 0 || testExecError ? 'FAIL' : 'PASS'} ${file}`];
  let present: readonly string[] = [];
  for (const test of testResults) {
    const titles = test.ancestorTitles;
    const same = titles.findIndex((title, depth) => title !== present[depth]);
    for (let depth = same === -1 ? titles.length : same; depth < titles.length; depth += 1)
      lines.push(`${'  '.repeat(depth + 1)}${titles[depth]}`);
    present = titles;
    lines.push(lineOf(test));
  }
  return lines.join('\n');
}
