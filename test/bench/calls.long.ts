/** The call ledger with all its scenarios. */
import { describe, expect, it } from '@jest/globals';
import { sharedAssembly } from '../acceptance/assembly.ts';
import { useBenchCalls } from './bench-calls.ts';

const bench = useBenchCalls();

describe('the call ledger', () => {
  it('finds no scenario that has grown by a call or 0.1 WRU', async () => {
    const { code, told } = await bench('--check', '--assembly', await sharedAssembly());
    expect(told).toContain('No scenario has grown.');
    expect(code).toBe(0);
  }, 600_000);
});
