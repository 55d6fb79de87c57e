/** `npm run bench -w packages/lab -- peers` with two of its peers, 30 jobs and a part of the kills. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { awsSample } from './aws-sample.ts';
import { comparePeers } from './compare.ts';
import { gpuEndpoints } from './gpu-endpoints.ts';
import { CONCURRENCY } from './peer.ts';
import { killSupervised } from './supervised.ts';

const root = mkdtempSync(join(tmpdir(), 'gpu-endpoints-peers-'));
/** Time limit on a busy machine, in milliseconds. */
const LIMIT = 420_000;
const JOBS = 30;

afterAll(() => {
  killSupervised();
  rmSync(root, { recursive: true, force: true });
});

describe('npm run bench -w packages/lab -- peers', () => {
  it(
    'finds that gpu-endpoints loses no job, and measures it beside the AWS sample',
    async () => {
      const [product, sample] = await comparePeers([gpuEndpoints, awsSample], root, JOBS, ['`npm start`', 'API']);
      expect(
        product?.kills.map(({ part, acknowledged, lost, stuck }) => ({ part, acknowledged, lost, stuck })),
      ).toEqual([{ part: '`npm start`', acknowledged: 30, lost: 0, stuck: 0 }]);
      // A job runs again if it had its effect, and everything was killed before its end was stored.
      for (const { doubled } of product?.kills ?? []) expect(doubled).toBeLessThanOrEqual(CONCURRENCY);
      expect(sample?.kills.map(({ part }) => part)).toEqual(['API']);
      expect(sample?.dollars).toBeGreaterThan(14);
      for (const row of [product, sample]) {
        expect(row?.absent).toBeUndefined();
        expect(row?.figures?.jobsPerSecond).toBeGreaterThan(0.1);
        expect(row?.figures?.secondsPer1000).toBeGreaterThan(1);
        expect(row?.figures?.memory.rss).toBeGreaterThan(100);
      }
    },
    LIMIT,
  );
});
