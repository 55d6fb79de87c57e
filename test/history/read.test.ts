/** Compares bounded reads of several endpoints with a sort of all jobs. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type EndedJob, endedJobSchema } from '../../core/history/ended-job.ts';
import { historyLimits } from '../../core/history/limits.ts';
import { readEnded } from '../../core/history/read.ts';
import { type JobHistory, positionAt, positionOf } from '../../core/history/store.ts';
import { PROPERTY_SEED, seedOf } from '../runner/seed.ts';

const ENDPOINTS = ['a', 'b', 'c'] as const;

const ended = (endpoint: string, id: string, finishedAt: number, status: 'COMPLETED' | 'FAILED'): EndedJob =>
  endedJobSchema.parse({
    endpoint,
    id,
    status,
    owner: 'team',
    acceptedAt: 0,
    queuedAt: 0,
    finishedAt,
    attempts: 1,
    rescues: 0,
    retries: 0,
  });

/** Jobs of three endpoints, most of them of one, several of which can end at the same time. */
const history = fc
  .array(
    fc.record({
      endpoint: fc.constantFrom('a', 'a', 'a', 'a', 'b', 'c' as const),
      time: fc.nat(40),
      isFailed: fc.boolean(),
    }),
    { maxLength: 250, size: 'max' },
  )
  .map((all) =>
    all.map(({ endpoint, time, isFailed }, n) =>
      ended(endpoint, `j${String(n).padStart(3, '0')}`, 1_000 + time, isFailed ? 'FAILED' : 'COMPLETED'),
    ),
  );

/** Returns a store over these jobs, which counts the jobs that it returns. */
function storeOver(jobs: readonly EndedJob[]) {
  const read: JobHistory['read'] = async ({ endpoint, after, before, isOldestFirst, max }) => {
    const found = jobs
      .filter((job) => job.endpoint === endpoint && after < positionOf(job) && positionOf(job) < before)
      .sort((one, other) => (positionOf(one) < positionOf(other) ? -1 : 1) * (isOldestFirst ? 1 : -1));
    const part = found.slice(0, max);
    const last = part.at(-1);
    return { rows: part, ...(found.length > max && last && { reached: positionOf(last) }) };
  };
  return { jobHistory: { isKept: true, save: async () => undefined, read } };
}

describe('reads of the history', () => {
  it('return each job that matches once and in order, over pages of any size', async () => {
    const limits = fc.record({ max: fc.integer({ min: 1, max: 30 }), read: fc.integer({ min: 1, max: 120 }) });
    const property = fc.asyncProperty(history, limits, fc.boolean(), async (jobs, { max, read }, isOldestFirst) => {
      const ports = storeOver(jobs);
      const found: EndedJob[] = [];
      let [after, before] = [positionAt(0), positionAt(10_000)];
      for (let pages = 0; ; pages += 1) {
        const page = await readEnded(ports, {
          endpoints: ENDPOINTS,
          after,
          before,
          isOldestFirst,
          matches: ({ status }) => status === 'FAILED',
          max,
          read,
        });
        expect(page.jobs.length).toBeLessThanOrEqual(max);
        expect(page.compared).toBeLessThanOrEqual(Math.max(read, ENDPOINTS.length * historyLimits.readOfEach));
        found.push(...page.jobs);
        if (page.position === undefined) break;
        if (isOldestFirst) after = page.position;
        else before = page.position;
        expect(pages).toBeLessThan(jobs.length + 1);
      }
      const wanted = jobs
        .filter(({ status }) => status === 'FAILED')
        .sort((one, other) => (positionOf(one) < positionOf(other) ? -1 : 1) * (isOldestFirst ? 1 : -1));
      expect(found).toEqual(wanted);
    });
    await fc.assert(property, { seed: seedOf(PROPERTY_SEED), numRuns: 300 });
  });
});
