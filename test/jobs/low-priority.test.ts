import { describe, expect, it } from '@jest/globals';
import { zeroCounters } from '../../core/endpoints/counts.ts';
import { yieldsToNormal } from '../../core/jobs/queues.ts';
import { LOW_PRIORITY_PATIENCE } from '../../core/limits.ts';

const since = 1_000_000;
const after = (waited: number, inQueue: number, lowInQueue: number) =>
  yieldsToNormal({ counts: { ...zeroCounters, inQueue, lowInQueue } }, since, since + waited);

describe('a job of low priority', () => {
  it.each([
    ['yields if one normal job waits', 2, 1, true],
    ['yields if many normal jobs wait', 5_000, 1, true],
    ['does not yield if all waiting jobs have low priority', 3, 3, false],
    ['does not yield if no job is counted', 0, 0, false],
    ['does not yield if the counts are inconsistent between two batches', 0, 1, false],
  ])('%s (%d jobs wait, %d of them with low priority)', (_, inQueue, lowInQueue, waits) => {
    expect(after(0, inQueue, lowInQueue)).toBe(waits);
  });

  it('yields for less than ten minutes', () => {
    expect(LOW_PRIORITY_PATIENCE).toBe(600_000);
    expect(after(LOW_PRIORITY_PATIENCE - 1, 2, 1)).toBe(true);
    expect(after(LOW_PRIORITY_PATIENCE, 2, 1)).toBe(false);
  });
});
