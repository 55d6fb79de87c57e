import { execFileSync } from 'node:child_process';
import { expect } from '@jest/globals';

export interface Limits {
  readonly cpuSeconds: number;
  readonly heapMb: number;
}

/**
 * Synthesizes the given number of endpoints in a separate process, and expects one stack for each, within the
 * limits. The limit of memory is the heap size of the process, because the peak use of a larger heap depends on
 * V8's garbage collection.
 */
export function expectSynthesisOf(endpoints: number, limits: Limits): void {
  const script = [`--max-old-space-size=${limits.heapMb}`, 'test/lib/synthesize-many.ts', String(endpoints)];
  const printed = execFileSync(process.execPath, script, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const { stacks, cpuSeconds } = JSON.parse(printed) as Record<string, number>;
  expect(stacks).toBe(4 + endpoints);
  expect(cpuSeconds).toBeLessThan(limits.cpuSeconds);
}
