import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { JOB_ID, jobId } from '../../core/jobs/id.ts';

const RANDOM = 26;
const NOW = Date.UTC(2026, 0, 1);

describe('job ids', () => {
  it('have 26 random characters, each equally likely at every position', () => {
    const count = 100_000;
    const bytes = randomBytes(count * RANDOM);
    const ids = Array.from({ length: count }, (_, n) => jobId('run', NOW, bytes.subarray(n * RANDOM)));
    // All ids are of the same millisecond.
    expect(new Set(ids.map((id) => id.slice(0, -RANDOM))).size).toBe(1);
    expect(new Set(ids).size).toBe(count);
    for (let place = 1; place <= RANDOM; place += 1) {
      const seen = new Map<string, number>();
      for (const id of ids) {
        const character = id.charAt(id.length - place);
        seen.set(character, (seen.get(character) ?? 0) + 1);
      }
      expect(seen.size).toBe(32);
      const expected = count / 32;
      const chiSquare = [...seen.values()].reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
      // With 31 degrees of freedom, a value over 100 occurs by chance once in a hundred million runs.
      expect(chiSquare).toBeLessThan(100);
    }
  });

  it('sort by time, and show how the job was submitted', () => {
    const random = () => randomBytes(32);
    const times = [0, 1, 31, 32, NOW, NOW + 1, 2 ** 49];
    const inOrder = times.map((time) => jobId('run', time, random()));
    expect([...inOrder].sort((a, b) => (a < b ? -1 : 1))).toEqual(inOrder);
    expect(jobId('runsync', NOW, random())).toMatch(/^sync-[0-9a-z]{36}$/);
    for (const id of [...inOrder, jobId('runsync', NOW, random())]) expect(id).toMatch(JOB_ID);
  });

  it('cannot be created from too few random bytes', () => {
    expect(() => jobId('run', NOW, randomBytes(RANDOM - 1))).toThrow('needs 26 random bytes');
  });
});
