/** A measurement of purges takes minutes: only its flags are tested. */
import { execFile } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';

function bench(...args: string[]): Promise<{ code: number | string; printed: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: number | string; printed: string }>();
  execFile(process.execPath, ['packages/lab/bench/main.ts', 'purge', ...args], (error, stdout, stderr) =>
    resolve({ code: error?.code ?? 0, printed: stdout + stderr }),
  );
  return promise;
}

describe('bench -- purge', () => {
  it('prints its usage', async () => {
    const { code, printed } = await bench('--help');
    expect(printed).toMatch(/^Usage: npm run bench -w packages\/lab -- purge \[options\]/);
    expect(code).toBe(0);
  });

  it.each([
    [['--fast'], "Unknown option '--fast'; npm run bench -w packages/lab -- purge --help lists the options."],
    [['--jobs', '1e5'], '--jobs must be a whole number from 1 to 9999999, got 1e5.'],
    [['--jobs', '0'], 'got 0.'],
  ])('refuses %j', async (args, sentence) => {
    const { code, printed } = await bench(...args);
    expect(printed).toContain(sentence);
    expect(code).toBe(1);
  });
});
