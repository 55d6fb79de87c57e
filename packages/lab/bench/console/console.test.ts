import { describe, expect, it } from '@jest/globals';
import { BARS, blockingOf, framesOf, frameTable, type Load, loadTable } from './figures.ts';
import { readOptions } from './options.ts';

describe('npm run bench -w packages/lab -- console', () => {
  it('runs five times by default', () => {
    expect(readOptions([])).toEqual({ help: false, runs: 5 });
    expect(readOptions(['--runs', '1'])).toEqual({ help: false, runs: 1 });
  });

  it.each([
    [['--runs', '0'], '--runs must be a whole number from 1 to 99, got 0.'],
    [['--runs', 'x'], '--runs must be a whole number from 1 to 99, got x.'],
    [['--pages', '1'], 'npm run bench -w packages/lab -- console --help lists the options.'],
  ])('refuses %j', (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });

  it('counts the time of a long task above 50 ms as blocking', () => {
    expect(blockingOf([])).toBe(0);
    expect(blockingOf([50, 51, 200])).toBe(151);
  });

  it('calculates the 95th percentile and the maximum of the frame times', () => {
    const times = Array.from({ length: 100 }, (_, n) => n + 1);
    expect(framesOf(times)).toEqual({ p95: 95, longest: 100 });
  });

  const load = (largestPaint: number, blocking = 0): Load => ({ largestPaint, blocking });

  it('reports the median of the runs', () => {
    const { text, isMet } = loadTable(new Map([['overview', [load(5_000), load(900), load(1_000)]]]));
    expect(text).toContain('| overview |       1000 ms |    0 ms | met |');
    expect(isMet).toBe(true);
  });

  it.each([
    ['largest paint', load(BARS.largestPaint + 1)],
    ['blocking', load(0, BARS.blocking + 1)],
  ])('fails if one of the pages exceeds the limit of the %s', (_, missed) => {
    const met = load(BARS.largestPaint, BARS.blocking);
    expect(loadTable(new Map([['a', [met]]])).isMet).toBe(true);
    const { text, isMet } = loadTable(
      new Map([
        ['a', [missed]],
        ['b', [met]],
      ]),
    );
    expect(isMet).toBe(false);
    expect(text).toContain('**missed**');
  });

  it.each([
    [BARS.p95, BARS.longest, true],
    [BARS.p95 + 1, BARS.longest, false],
    [BARS.p95, BARS.longest + 1, false],
  ])('checks the limits of a 95th percentile of %d ms and a longest frame of %d ms', (p95, longest, isMet) => {
    expect(frameTable(new Map([['jobs', [{ p95, longest }]]])).isMet).toBe(isMet);
  });

  it('fails if nothing was measured', () => {
    expect(loadTable(new Map([['overview', [load(Number.NaN)]]])).isMet).toBe(false);
  });
});
