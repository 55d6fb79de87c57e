import { describe, expect, it } from '@jest/globals';
import { createThrottle } from '../../gateway/throttle.ts';

describe('a token bucket', () => {
  let time = 0;
  const limit = { rate: 10, burst: 3 };
  const admitted = (throttle: ReturnType<typeof createThrottle>, times: number, bucket = 'a') =>
    Array.from({ length: times }, () => throttle.admits(bucket, limit)).filter(Boolean).length;

  it('is full at first and holds as many tokens as the burst limit', () => {
    const throttle = createThrottle(() => time);
    expect(admitted(throttle, 5)).toBe(3);
  });

  it('refills at the rate up to the burst limit', () => {
    const throttle = createThrottle(() => time);
    admitted(throttle, 3);
    time += 99;
    expect(admitted(throttle, 1)).toBe(0);
    time += 1;
    expect(admitted(throttle, 2)).toBe(1);
    time += 60_000;
    expect(admitted(throttle, 10)).toBe(3);
  });

  it('does not lose fractions of tokens when it refuses a request', () => {
    const throttle = createThrottle(() => time);
    admitted(throttle, 3);
    for (let step = 0; step < 9; step += 1) {
      time += 10;
      expect(admitted(throttle, 1)).toBe(0);
    }
    time += 10;
    expect(admitted(throttle, 1)).toBe(1);
  });

  it('admits exactly rate times time plus burst', () => {
    const throttle = createThrottle(() => time);
    let count = 0;
    for (let millisecond = 0; millisecond <= 10_000; millisecond += 1) {
      count += admitted(throttle, 1);
      time += 1;
    }
    expect(count).toBe(10 * 10 + 3);
  });

  it('is independent of other buckets', () => {
    const throttle = createThrottle(() => time);
    admitted(throttle, 3, 'a');
    expect(admitted(throttle, 3, 'b')).toBe(3);
  });
});
