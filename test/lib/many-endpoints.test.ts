import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';

const ENDPOINTS = 200;
/** Twice of what they take; what grows with the square of the endpoints takes far more. */
const MOST_CPU_SECONDS = 20;
const MOST_MB = 1000;

describe('two hundred endpoints', () => {
  it('are synthesized in one go, by so much work and memory', () => {
    const script = ['test/lib/synthesize-many.ts', String(ENDPOINTS)];
    const printed = execFileSync(process.execPath, script, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
    const { stacks, cpuSeconds, peakMb } = JSON.parse(printed) as Record<string, number>;
    expect(stacks).toBe(3 + ENDPOINTS);
    expect(cpuSeconds).toBeLessThan(MOST_CPU_SECONDS);
    expect(peakMb).toBeLessThan(MOST_MB);
  }, 120_000);
});
