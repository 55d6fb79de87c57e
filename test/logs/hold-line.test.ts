import { describe, expect, it } from '@jest/globals';
import { type Hold, tenureOf } from '../../core/logs/lines.ts';

const takes = (jobId: string, time: number, held = 1): Hold => ({ jobId, time, holds: true, held });
const lets = (jobId: string, time: number, held = 0): Hold => ({ jobId, time, holds: false, held });

describe('the time in which a job was the only job of its worker', () => {
  it('lasts from its take to its end', () => {
    const holds = [takes('a', 10), lets('a', 20), takes('b', 30)];
    expect(tenureOf('a', holds, 99)).toEqual({ alone: [{ from: 10, to: 20 }], endedAt: 20 });
    expect(tenureOf('b', holds, 99)).toEqual({ alone: [{ from: 30, to: 99 }] });
  });

  it('excludes times of another job, before it, during it, or after it', () => {
    const holds = [
      takes('x', 5),
      takes('a', 10, 2),
      lets('x', 20, 1),
      takes('y', 30, 2),
      lets('a', 40, 1),
      lets('y', 50),
    ];
    expect(tenureOf('a', holds, 99)).toEqual({ alone: [{ from: 20, to: 30 }], endedAt: 40 });
    expect(tenureOf('x', holds, 99)).toEqual({ alone: [{ from: 5, to: 10 }], endedAt: 20 });
    expect(tenureOf('y', holds, 99).alone).toEqual([{ from: 40, to: 50 }]);
  });

  it('is empty if the agent has not logged that it holds the job', () => {
    expect(tenureOf('a', [], 99)).toEqual({ alone: [] });
    expect(tenureOf('a', [takes('b', 10)], 99)).toEqual({ alone: [] });
    expect(tenureOf('a', [lets('a', 10), takes('b', 20)], 99)).toEqual({ alone: [], endedAt: 10 });
  });
});
