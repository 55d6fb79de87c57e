import { execFileSync } from 'node:child_process';
import { expect } from '@jest/globals';

export interface Limits {
  readonly cpuSeconds: number;
  readonly mb: number;
}

/** Part of the memory that is for objects. Without a bound V8 keeps more garbage the busier the machine is. */
const HEAP = 0.8;

/** Synthesizes so many endpoints, in a process of their own, and expects one stack for each, made within the limits. */
export function expectSynthesisOf(endpoints: number, limits: Limits): void {
  const heap = `--max-old-space-size=${Math.floor(limits.mb * HEAP)}`;
  const script = [heap, 'test/lib/synthesize-many.ts', String(endpoints)];
  const printed = execFileSync(process.execPath, script, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const { stacks, cpuSeconds, peakMb } = JSON.parse(printed) as Record<string, number>;
  expect(stacks).toBe(3 + endpoints);
  expect(cpuSeconds).toBeLessThan(limits.cpuSeconds);
  expect(peakMb).toBeLessThan(limits.mb);
}
