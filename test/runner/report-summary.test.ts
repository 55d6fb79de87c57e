import { describe, expect, it } from '@jest/globals';
import type { AggregatedResult } from '@jest/test-result';
import { progressLine, summaryOf } from './report-summary.ts';

const results = (given: Partial<AggregatedResult>) =>
  ({
    numTotalTestSuites: 180,
    numPassedTestSuites: 0,
    numFailedTestSuites: 0,
    numRuntimeErrorTestSuites: 0,
    numPassedTests: 0,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    ...given,
  }) as AggregatedResult;

describe('the progress line', () => {
  it('contains the number of files that have run, the number of all files, and the elapsed time', () => {
    const ran = results({ numPassedTestSuites: 60, numPassedTests: 2_100 });
    expect(progressLine(ran, 80_000)).toBe('60 of 180 files, 2,100 tests, 1 min 20 s');
  });

  it('contains the number of failed tests', () => {
    const ran = results({ numPassedTestSuites: 1, numFailedTestSuites: 1, numPassedTests: 7, numFailedTests: 2 });
    expect(progressLine(ran, 4_400)).toBe('2 of 180 files, 9 tests, 4 s, 2 failed');
  });
});

describe('the summary', () => {
  const lastLine = (given: Partial<AggregatedResult>) => summaryOf(results(given), [], 0, undefined).split('\n').at(-1);

  it('ends with the counts', () => {
    expect(lastLine({ numPassedTests: 3_208 })).toBe('3208 passed, 0 failed');
    expect(lastLine({ numPassedTests: 4, numPendingTests: 2, numTodoTests: 1 })).toBe('4 passed, 0 failed, 3 skipped');
  });

  it('counts a file that could not run as a failure', () => {
    expect(lastLine({ numPassedTests: 1, numFailedTests: 2, numRuntimeErrorTestSuites: 1 })).toBe('1 passed, 3 failed');
  });

  it('begins with the numbers of files and tests, the time, and the processor time', () => {
    const ran = results({ numPassedTestSuites: 180, numPassedTests: 3_208 });
    const [first] = summaryOf(ran, [], 455_000, 701.4).split('\n');
    expect(first).toBe('180 files, 3,208 tests in 7 min 35 s, 11 min 41 s of processor time');
  });

  it('lists the ten slowest files, the slowest first', () => {
    const times = Array.from({ length: 12 }, (_, n) => ({ file: `test/a/${n}.test.ts`, milliseconds: 1_000 * n }));
    const lines = summaryOf(results({}), times, 0, undefined).split('\n');
    const from = lines.indexOf('Slowest files:') + 1;
    expect(lines.slice(from, from + 2)).toEqual(['   11.0 s  test/a/11.test.ts', '   10.0 s  test/a/10.test.ts']);
    expect(lines.filter((line) => line.includes('test/a/'))).toHaveLength(10);
  });
});
