import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';

const job = 'a'.repeat(36);

/** Returns the output of a process that runs this code in a job, with a line before and a line after the job. */
function printedBy(statements: string, isTerminal = false): string[] {
  const script = `
    import { labelConsole } from './worker/sdk/job-console.ts';
    let running;
    labelConsole(() => running, ${isTerminal});
    console.log('before');
    running = '${job}';
    ${statements}
    running = undefined;
    console.log('after %d', 1);`;
  return execFileSync(process.execPath, ['--input-type=module-typescript', '-e', script], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');
}

describe('the console of a handler', () => {
  it("prints one line of JSON with the job's id for each call, and plain text again after the job", () => {
    const [before, ...lines] = printedBy(`
      console.log('%d of %s', 3, { a: 1 }, 'more');
      console.info('two\\nlines, 100 %');
      console.debug('50 %s');`);
    const after = lines.pop();
    expect([before, after]).toEqual(['before', 'after 1']);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { timestamp: expect.any(String), level: 'info', jobId: job, message: '3 of { a: 1 } more' },
      { timestamp: expect.any(String), level: 'info', jobId: job, message: 'two\nlines, 100 %' },
      { timestamp: expect.any(String), level: 'debug', jobId: job, message: '50 %s' },
    ]);
  });

  it('prints plain text in a terminal', () => {
    expect(printedBy("console.log('plain');", true)).toEqual(['before', 'plain', 'after 1']);
  });
});
