/** `npm run bench:calls` with all its scenarios. */
import { describe, expect, it } from '@jest/globals';
import { sharedAssembly } from '../acceptance/assembly.ts';
import { useBenchCalls } from './bench-calls.ts';

const bench = useBenchCalls();

describe('npm run bench:calls', () => {
  it('finds no scenario that has grown by a call or 0.1 WRU', async () => {
    const { code, printed } = await bench('--check', '--assembly', await sharedAssembly());
    expect(printed).toContain('No scenario has grown.');
    expect(code).toBe(0);
  }, 600_000);
});
