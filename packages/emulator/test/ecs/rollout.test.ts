/** Tests the arithmetic of a rolling deployment. */
import { describe, expect, it } from '@jest/globals';
import { failureThreshold, type RolloutCounts, rolloutStep } from '../../ecs/rollout.ts';

interface Given {
  readonly desired: number;
  /** Counts of running and healthy tasks of the new deployment, and of running tasks of the old one. */
  readonly tasks: readonly [live: number, healthy: number, old: number];
  readonly percent?: readonly [min: number, max: number];
  readonly mayStart?: boolean;
}

function step({ desired, tasks: [live, healthy, old], percent = [100, 200], mayStart = true }: Given) {
  const counts: RolloutCounts = { desired, primary: { live, healthy, mayStart }, old: { live: old, mayStart: true } };
  const [minimumHealthyPercent, maximumPercent] = percent;
  const circuitBreaker = { enable: false, rollback: false };
  const { startNew, startOld, stopNew, stopOld } = rolloutStep(counts, {
    minimumHealthyPercent,
    maximumPercent,
    circuitBreaker,
  });
  return [startNew, startOld, -stopNew, -stopOld];
}

describe('a rolling deployment', () => {
  it('starts as many new tasks as the maximum allows', () => {
    expect(step({ desired: 4, tasks: [0, 0, 4] })).toEqual([4, 0, -0, -0]);
    expect(step({ desired: 4, tasks: [0, 0, 4], percent: [100, 150] })).toEqual([2, 0, -0, -0]);
    // Rounded down: 150 % of 3 is 4.
    expect(step({ desired: 3, tasks: [0, 0, 3], percent: [100, 150] })).toEqual([1, 0, -0, -0]);
    expect(step({ desired: 3, tasks: [1, 0, 3], percent: [100, 150] })).toEqual([0, 0, -0, -0]);
  });

  it('stops an old task for each healthy new one', () => {
    expect(step({ desired: 4, tasks: [4, 1, 4] })).toEqual([0, 0, -0, -1]);
    expect(step({ desired: 4, tasks: [4, 4, 4] })).toEqual([0, 0, -0, -4]);
  });

  it('stops old tasks before new ones are healthy only to make room', () => {
    expect(step({ desired: 4, tasks: [0, 0, 4], percent: [50, 200] })).toEqual([4, 0, -0, -0]);
    expect(step({ desired: 4, tasks: [0, 0, 4], percent: [50, 100] })).toEqual([0, 0, -0, -2]);
    expect(step({ desired: 4, tasks: [0, 0, 2], percent: [50, 100] })).toEqual([2, 0, -0, -0]);
    // Rounded up: 50 % of 3 is 2.
    expect(step({ desired: 3, tasks: [0, 0, 3], percent: [50, 100] })).toEqual([0, 0, -0, -1]);
    // If the maximum equals the minimum, the deployment makes no progress, as on ECS.
    expect(step({ desired: 1, tasks: [0, 0, 1], percent: [100, 100] })).toEqual([0, 0, -0, -0]);
  });

  it('starts old tasks again up to the minimum', () => {
    expect(step({ desired: 4, tasks: [4, 1, 2] })).toEqual([0, 1, -0, -0]);
    expect(step({ desired: 4, tasks: [4, 1, 3] })).toEqual([0, 0, -0, -0]);
    expect(step({ desired: 4, tasks: [4, 0, 2], percent: [50, 200] })).toEqual([0, 0, -0, -0]);
  });

  it('follows a desired count that changes during the deployment', () => {
    expect(step({ desired: 2, tasks: [4, 0, 4] })).toEqual([0, 0, -2, -2]);
    expect(step({ desired: 6, tasks: [4, 4, 1] })).toEqual([2, 1, -0, -0]);
    expect(step({ desired: 0, tasks: [1, 0, 3] })).toEqual([0, 0, -1, -3]);
  });

  it('starts no task after it has failed, and does not stop the old tasks', () => {
    expect(step({ desired: 2, tasks: [0, 0, 2], mayStart: false })).toEqual([0, 0, -0, -0]);
  });

  it('keeps the number of tasks between the minimum and the maximum, from any starting point', () => {
    for (const min of [0, 50, 100])
      for (const max of [100, 150, 200])
        for (let desired = 0; desired <= 6; desired += 1)
          for (let live = 0; live <= desired; live += 1)
            for (let healthy = 0; healthy <= live; healthy += 1)
              for (let old = 0; old <= 6; old += 1) {
                const [startNew = 0, startOld = 0, stopNew = 0, stopOld = 0] = step({
                  desired,
                  tasks: [live, healthy, old],
                  percent: [min, max],
                });
                const [minimum, maximum] = [Math.ceil((desired * min) / 100), Math.floor((desired * max) / 100)];
                if (startNew + startOld > 0) expect(live + old + startNew + startOld).toBeLessThanOrEqual(maximum);
                if (stopOld < 0) expect(healthy + old + stopOld).toBeGreaterThanOrEqual(minimum);
                expect(stopNew).toBe(-0);
              }
  });

  it('fails when half of the desired count of tasks has failed, at least 3 and at most 200', () => {
    expect([0, 1, 6, 7, 8, 9, 399, 400, 401, 1000].map(failureThreshold)).toEqual([
      3, 3, 3, 4, 4, 5, 200, 200, 200, 200,
    ]);
  });
});
