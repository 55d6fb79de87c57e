/** `npm run bench -w packages/lab -- calls` with all its scenarios. */
import { describe, expect, it } from '@jest/globals';
import { sharedAssembly } from '../../../../test/acceptance/assembly.ts';
import { useBenchCalls } from './use-bench-calls.ts';

const bench = useBenchCalls();

/** Removes progress lines and reports of scenarios that cost less than recorded, because neither is a failure. */
const findings = (printed: string) =>
  printed.split('\n').filter((line) => line !== '' && !/ \.\.\.$|costs less than recorded/.test(line));

describe('npm run bench -w packages/lab -- calls', () => {
  it('finds no scenario that has grown by a call or 0.1 WRU', async () => {
    const { code, printed } = await bench('--check', '--assembly', await sharedAssembly());
    expect(findings(printed)).toEqual(['No scenario has grown.']);
    expect(code).toBe(0);
  }, 600_000);
});
