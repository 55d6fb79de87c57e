import { describe, expect, it } from '@jest/globals';
import { usageOf } from './ingress-usage.ts';
import { readOptions } from './options.ts';

describe('npm run bench -w packages/lab -- waits', () => {
  it('lets 2,000 clients wait for a minute by default', () => {
    expect(readOptions([])).toEqual({ help: false, waits: 2_000, seconds: 60 });
  });

  it.each([
    [['--waits', '2401'], '--waits must be a whole number from 1 to 2400, got 2401.'],
    [['--waits', '0'], '--waits must be a whole number from 1 to 2400, got 0.'],
    [['--seconds', '301'], '--seconds must be a whole number from 1 to 300, got 301.'],
    [['--clients', '1'], 'npm run bench -w packages/lab -- waits --help lists the options.'],
  ])('refuses %j with the value and what is allowed', (args, sentence) => {
    expect(() => readOptions(args)).toThrow(sentence);
  });

  it('reads the memory and the processor time of a process', () => {
    const used = () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    };
    const before = used();
    const { memory, processor } = usageOf(process.pid);
    expect(memory).toBeGreaterThan(process.memoryUsage().heapUsed / 1_024 / 1_024);
    // `ps` shows whole seconds.
    expect(processor).toBeGreaterThan(before - 2_000);
    expect(processor).toBeLessThan(used() + 1_000);
  });
});
