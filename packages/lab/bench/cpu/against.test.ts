import { describe, expect, it } from '@jest/globals';
import { compare, comparisonTable, isWithin, runFrom } from './against.ts';

/** Returns what the benchmark prints. */
const printed = (values: { emulator: number; job: number; rate: number; runsync: number }) => `
| part                            | ms per job |   share |
| ------------------------------- | ---------: | ------: |
| agent                           |       2.68 |  18.9 % |
| emulator of DynamoDB (dynoxide) |       ${values.emulator} |  17.2 % |
| ledger                          |       0.46 |   3.2 % |

| work of a job that AWS does too | measured | bound |  |
| ------------------------------- | -------: | ----: | -: |
| authorizer, /run and 3 polls    |   3.4 ms |       |  |
| agent                           |   2.9 ms | ≤ 3 ms | met |
| ledger                          |   0.5 ms |       |  |

| on a laptop                        | measured | bound |  |
| ---------------------------------- | -------: | ----: | -: |
| jobs per second                    |  ${values.rate}/s | ≥ 120/s | MISSED |
| processor time of a job            |  ${values.job} ms |       |  |
| processor time of a job, first 500 |  19.3 ms |       |  |
| lone /runsync, p50                 |  ${values.runsync} ms |       |  |
`;
const before = runFrom(printed({ emulator: 2, job: 10, rate: 100, runsync: 20 }));

describe('npm run bench -w packages/lab -- cpu --against', () => {
  it('reads the rows of the tables, and the value with a unit if a part has a row in two tables', () => {
    expect(
      [...before].filter(([what]) => ['agent', 'jobs per second', 'processor time of a job'].includes(what)),
    ).toEqual([
      ['agent', 2.9],
      ['jobs per second', 100],
      ['processor time of a job', 10],
    ]);
  });

  it('divides times and rates by the speed of the machine in the same run', () => {
    const twiceAsSlow = runFrom(printed({ emulator: 4, job: 20, rate: 50, runsync: 40 }));
    const comparisons = compare([{ before, after: twiceAsSlow }]);
    expect(comparisons.slice(0, 3).map(({ ratio }) => ratio)).toEqual([1, 1, 1]);
    expect(comparisons.every(isWithin)).toBe(true);
  });

  it('prints the medians of the rounds beside the bounds, and which bounds are missed', () => {
    const rounds = [
      { emulator: 2, job: 14, rate: 60, runsync: 26 },
      { emulator: 2, job: 14.4, rate: 65, runsync: 28 },
      { emulator: 2, job: 90, rate: 71, runsync: 29 },
    ].map((values) => ({ before, after: runFrom(printed(values)) }));
    const comparisons = compare(rounds);
    expect(comparisons.map(isWithin)).toEqual([true, false, false, true, true, true]);
    const rows = comparisonTable(comparisons).split('\n').slice(2, 5);
    expect(
      rows.map((row) =>
        row
          .split('|')
          .map((cell) => cell.trim())
          .join(' ')
          .trim(),
      ),
    ).toEqual([
      'processor time of a job 10.0 ms 14.4 ms 1.44 ≤ 1.45 met',
      'jobs per second 100.0/s 65.0/s 0.65 ≥ 0.7 MISSED',
      'lone /runsync, p50 20.0 ms 28.0 ms 1.40 ≤ 1.35 MISSED',
    ]);
  });

  it('refuses a run without figures', () => {
    expect(() => compare([{ before, after: runFrom('') }])).toThrow(
      'The benchmark printed no value for "processor time of a job".',
    );
  });
});
