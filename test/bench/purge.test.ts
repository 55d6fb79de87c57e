/** The measurement of purges takes minutes and is no test; that it can be asked is. */
import { execFile } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';

function bench(...args: string[]): Promise<{ code: number | string; told: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: number | string; told: string }>();
  execFile(process.execPath, ['bench/purge/main.ts', ...args], (error, stdout, stderr) =>
    resolve({ code: error?.code ?? 0, told: stdout + stderr }),
  );
  return promise;
}

describe('bench:purge', () => {
  it('tells what it does', async () => {
    const { code, told } = await bench('--help');
    expect(told).toMatch(/^Usage: npm run bench:purge -- \[options\]/);
    expect(code).toBe(0);
  });

  it.each([
    [['--fast'], "Unknown option '--fast'; npm run bench:purge -- --help lists what there is."],
    [['--jobs', '1e5'], '--jobs must be a whole number from 1 to 9999999, got 1e5.'],
    [['--jobs', '0'], 'got 0.'],
  ])('refuses %j', async (args, sentence) => {
    const { code, told } = await bench(...args);
    expect(told).toContain(sentence);
    expect(code).toBe(1);
  });
});
