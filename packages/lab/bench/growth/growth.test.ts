/** Tests the fits, the options, the tables and the plots. `growth.long.ts` measures. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { exponentOf } from './fit.ts';
import { complaintsOf, growthsOf } from './growth.ts';
import type { Measured } from './measure.ts';
import { operations } from './operations.ts';
import { readOptions } from './options.ts';
import { plot, plotFile } from './plot.ts';
import { readRecord } from './record.ts';
import { growthPlace, render } from './table.ts';

const sizes = [100, 1_000, 10_000, 100_000];
const pointsOf = (valueAt: (size: number) => number) => sizes.map((size) => ({ size, value: valueAt(size) }));

const row = (size: number, values: Partial<Measured> = {}): Measured => ({
  operation: '/run',
  dimension: 'jobs',
  size,
  calls: 3,
  wru: 1,
  rru: 1,
  queryRru: 1,
  sqs: 1,
  ms: 10,
  ...values,
});

describe('a fit', () => {
  it('finds the exponent of a power law', () => {
    expect(exponentOf(pointsOf((size) => 3 * size ** 0.5))).toBeCloseTo(0.5, 10);
    expect(exponentOf(pointsOf((size) => 7 * size))).toBeCloseTo(1, 10);
  });

  it('is exactly 0 if nothing grows, even if all values are 0', () => {
    expect([exponentOf(pointsOf(() => 4)), exponentOf(pointsOf(() => 0))]).toEqual([0, 0]);
  });

  it('is small for a logarithm, and finite for a value that begins at 0', () => {
    expect(exponentOf(pointsOf((size) => Math.log(size)))).toBeCloseTo(0.13, 2);
    expect(exponentOf(pointsOf((size) => (size === 100 ? 0 : 8)))).toBeGreaterThan(0.3);
  });

  it('refuses a single size', () => {
    expect(() => exponentOf([{ size: 1, value: 1 }])).toThrow('A fit needs at least two sizes.');
  });
});

describe('a growth', () => {
  const rows = (values: (size: number) => Partial<Measured>) => sizes.map((size) => row(size, values(size)));

  it('is within the bound if calls and units are equal at all sizes, whatever the time', () => {
    const [growth] = growthsOf(
      rows((size) => ({ ms: size })),
      'jobs',
    );
    expect([growth?.verdict, growth?.exponents.calls, growth?.exponents.ms]).toEqual(['met', 0, expect.closeTo(1)]);
  });

  it.each(['calls', 'wru', 'rru', 'sqs'] as const)('misses the bound if %s grow', (name) => {
    const growths = growthsOf(
      rows((size) => ({ [name]: size ** 0.06 })),
      'jobs',
    );
    expect(growths.map(({ verdict }) => verdict)).toEqual(['missed']);
    expect(complaintsOf(growths)).toEqual([expect.stringContaining(`${name} 0.06`)]);
  });

  it('may have a reason, which counts only for the number of jobs', () => {
    const listed = { operation: '/requests?status' };
    const growing = rows((size) => ({ ...listed, calls: size }));
    const [growth] = growthsOf(growing, 'jobs');
    expect([growth?.verdict, complaintsOf(growthsOf(growing, 'jobs'))]).toEqual(['stated', []]);
    const [other] = growthsOf(
      growing.map((one) => ({ ...one, dimension: 'endpoints' })),
      'endpoints',
    );
    expect(other?.verdict).toBe('missed');
  });
});

describe('the options', () => {
  it('are the powers of ten up to the largest number of jobs', () => {
    const jobs = [...sizes, 1_000_000];
    expect(readOptions([])).toMatchObject({ jobs, endpoints: [1, 5, 20, 100, 500] });
    expect(readOptions(['--jobs', '5000', '--endpoints', '50'])).toMatchObject({
      jobs: [100, 1_000, 5_000],
      endpoints: [1, 5, 20, 50],
    });
  });

  it.each([
    [['--jobs', '999'], '--jobs must be a whole number from 1000 to 1000000, got 999.'],
    [['--jobs', '1e5'], 'got 1e5.'],
    [['--endpoints', '501'], '--endpoints must be a whole number from 5 to 500, got 501.'],
    [['--fast'], "Unknown option '--fast'; npm run bench -w packages/lab -- growth --help lists the options."],
  ])('refuse %j', (args, sentence) => {
    expect(() => readOptions(args)).toThrow(sentence);
  });
});

describe('the record', () => {
  const recorded = readRecord();

  it('has each operation at 100 to 1,000,000 jobs and at 1 to 500 endpoints', () => {
    for (const { name } of operations) {
      const ofOne = recorded.rows.filter(({ operation }) => operation === name);
      const sizesOf = (dimension: string) => ofOne.filter((one) => one.dimension === dimension).map(({ size }) => size);
      expect([name, sizesOf('jobs'), sizesOf('endpoints')]).toEqual([
        name,
        [...sizes, 1_000_000],
        [1, 5, 20, 100, 500],
      ]);
    }
  });

  it('has no growth without a reason', () => {
    expect(complaintsOf([...growthsOf(recorded.rows, 'jobs'), ...growthsOf(recorded.rows, 'endpoints')])).toEqual([]);
  });

  it('is what the document shows', () => {
    expect(growthPlace.read()).toBe(render(recorded).trim());
  });

  it.each(['jobs', 'endpoints'] as const)('is what the plot by the number of %s shows', (dimension) => {
    expect(readFileSync(plotFile(dimension), 'utf8')).toBe(plot(growthsOf(recorded.rows, dimension), dimension));
  });
});

describe('a plot', () => {
  it('has a line for calls, units and milliseconds, which falls or rises with the values', () => {
    const svg = plot(growthsOf([row(100, { ms: 1 }), row(1_000, { ms: 1_000 })], 'jobs'), 'jobs');
    const lines = [...svg.matchAll(/<path class="line (\w+)" d="M([\d.]+) ([\d.]+) L([\d.]+) ([\d.]+)"/g)];
    expect(lines.map(([, name]) => name)).toEqual(['time', 'units', 'calls']);
    const [time = 0, , calls] = lines.map(([, , , from, , to]) => Number(to) - Number(from));
    expect([calls, time < -50]).toEqual([0, true]);
  });
});
