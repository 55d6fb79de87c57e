/**
 * Tests that a job makes no more AWS calls than recorded, and that docs/reference/calls.md contains the recorded figures.
 */
import { describe, expect, it } from '@jest/globals';
import { readRecord } from '../../../../bin/job-calls/record.ts';
import { readPrices } from '../../../../lib/prices/prices.ts';
import { sharedAssembly } from '../../../../test/acceptance/assembly.ts';
import { readBenchRecord } from './bench-record.ts';
import { factsOf, pending, scenarios } from './scenarios.ts';
import { callsPlace, render } from './table.ts';
import { useBenchCalls } from './use-bench-calls.ts';

const bench = useBenchCalls();

describe('npm run bench -w packages/lab -- calls', () => {
  // A job that starts a worker, and a job that a running worker takes. `calls.long.ts` measures all scenarios.
  it('finds no scenario that has grown by a call or 0.1 WRU', async () => {
    const { code, printed } = await bench('--check', '--only', 'first,run', '--assembly', await sharedAssembly());
    expect(printed).toContain('No scenario has grown.');
    expect(code).toBe(0);
  }, 240_000);

  it('refuses unknown flags', async () => {
    const { code, printed } = await bench('--fast');
    expect(printed).toMatch(
      /^Unknown option '--fast'; npm run bench -w packages\/lab -- calls --help lists the options\.\s*$/,
    );
    expect(code).toBe(1);
  });

  it('has recorded every scenario', () => {
    const recorded = Object.entries(readRecord().scenarios);
    expect(recorded.map(([name]) => name)).toEqual(scenarios.map(({ name }) => name));
    for (const [n, scenario] of scenarios.entries()) expect(recorded[n]?.[1]).toMatchObject(factsOf(scenario));
  });

  it('has written its recorded figures to docs/reference/calls.md', () => {
    expect(callsPlace.read()).toBe(render(readRecord(), readBenchRecord(), readPrices(), pending));
  });
});
