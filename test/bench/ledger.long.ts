/** The call ledger with all its scenarios. */
import { describe, expect, it } from '@jest/globals';
import { sharedAssembly } from '../acceptance/assembly.ts';
import { useBenchLedger } from './bench-ledger.ts';

const bench = useBenchLedger();

describe('the call ledger', () => {
  it('finds no scenario that has grown by a call or 0.1 WRU', async () => {
    const { code, told } = await bench('--check', '--assembly', await sharedAssembly());
    expect(told).toContain('No scenario has grown.');
    expect(code).toBe(0);
  }, 600_000);
});
