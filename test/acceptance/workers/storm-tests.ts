/** Tests the jobs of a storm. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_ATTEMPTS, MINUTE } from '../../../core/limits.ts';
import type { Storm, StormJob, StormSize } from './storm.ts';

const LIMIT = 4 * MINUTE;

export function describeStorm(size: StormSize, ends: () => Promise<Storm>): void {
  describe(`a storm of ${size.jobs} jobs whose workers lose containers every 5 s`, () => {
    let jobs: readonly StormJob[];

    beforeAll(async () => {
      const { kills, milliseconds, ...storm } = await ends();
      jobs = storm.jobs;
      const again = jobs.filter(({ record }) => record.attempts !== 1).length;
      console.log([...kills, `${again} jobs ran again, all in ${milliseconds} ms`].join('\n'));
      expect(again).toBeGreaterThan(0);
    }, LIMIT);

    it('loses no job', () => {
      expect(jobs).toHaveLength(size.jobs);
      expect(jobs.filter(({ record }) => record.status !== 'COMPLETED')).toEqual([]);
    });

    it('starts each job once per attempt, and at most three times', () => {
      const wrong = jobs.filter(({ record, log }) => {
        const starts = log.filter(({ event }) => event === 'start').map(({ attempt }) => attempt);
        const { attempts = 0 } = record;
        return new Set(starts).size !== starts.length || starts.at(-1) !== attempts || attempts > MAX_ATTEMPTS;
      });
      expect(wrong).toEqual([]);
    });

    it('leaves one valid effect for each job: that of the attempt and process in its output', () => {
      const wrong = jobs.filter(({ record, log }) => {
        const { attempt, pid } = record.output as { attempt: number; pid: number };
        const effects = log.filter(({ event }) => event === 'effect');
        const counting = effects.filter((line) => line.attempt === record.attempts);
        return attempt !== record.attempts || counting.length !== 1 || counting[0]?.pid !== pid;
      });
      expect(wrong).toEqual([]);
    });
  });
}
