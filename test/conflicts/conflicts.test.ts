import { describe, expect, it } from '@jest/globals';
import { CONFLICT, retryOnConflict, WriteConflict } from '../../core/stored-items/conflicts.ts';

describe('a write that conflicts with other writers', () => {
  it('is repeated once without a pause, and then after random pauses of the given clock, until its attempts are used', async () => {
    const pauses: number[] = [];
    const clock = { pause: async (milliseconds: number) => void pauses.push(milliseconds) };
    const write = retryOnConflict('a thing', 10, async () => CONFLICT, clock);
    await expect(write).rejects.toThrow(WriteConflict);
    const limits = [20, 40, 80, 160, 320, 500, 500, 500];
    expect(pauses).toHaveLength(limits.length);
    for (const [n, limit] of limits.entries()) expect(pauses[n]).toBeLessThanOrEqual(limit);
  });
});
