import { describe, expect, it } from '@jest/globals';
import { usageOf } from './ingress-usage.ts';
import { readOptions } from './options.ts';

describe('npm run bench -- waits', () => {
  it('lets 2,000 clients wait for a minute by default', () => {
    expect(readOptions([])).toEqual({ help: false, waits: 2_000, seconds: 60 });
  });

  it.each([
    [['--waits', '2401'], '--waits must be a whole number from 1 to 2400, got 2401.'],
    [['--waits', '0'], '--waits must be a whole number from 1 to 2400, got 0.'],
    [['--seconds', '301'], '--seconds must be a whole number from 1 to 300, got 301.'],
    [['--clients', '1'], 'npm run bench -- waits --help lists the options.'],
  ])('refuses %j with the value and what is allowed', (args, sentence) => {
    expect(() => readOptions(args)).toThrow(sentence);
  });

  it('reads the memory and the processor time of a process', () => {
    const before = usageOf(process.pid);
    expect(before.memory).toBeGreaterThan(process.memoryUsage().heapUsed / 1_024 / 1_024);
    expect(Math.abs(before.processor - process.cpuUsage().user / 1_000)).toBeLessThan(60_000);
  });
});
