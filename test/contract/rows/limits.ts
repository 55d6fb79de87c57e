import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { codesOf, createBursts, refused } from '../bursts.ts';
import type { Suite } from '../suite.ts';

const UNKNOWN = '0'.repeat(36);
const MB = 1024 * 1024;

/** A body of so many bytes. */
const sized = (bytes: number) => `{"input":{"a":"${'x'.repeat(bytes - '{"input":{"a":""}}'.length)}"}}`;

export function limits(suite: Suite): void {
  const { ask } = suite;
  const { at, burst, drain } = createBursts(suite);

  describe('the limits of requests', () => {
    it('[limits.runsync] let 100 requests of /runsync pass at once', async () => {
      // They are refused for another reason, so nobody waits.
      expect(codesOf(await burst(100, 'POST', at('runsync?wait=1')))).toEqual(['INVALID_REQUEST']);
    });

    it('[limits.status][limits.status-sync][limits.stream] let 25 readers of each kind pass at once', async () => {
      for (const operation of ['status', 'status-sync', 'stream'])
        for (const method of ['GET', 'POST'])
          expect(codesOf(await burst(25, method, at(`${operation}/${UNKNOWN}`)))).toEqual(['JOB_NOT_FOUND']);
    });

    it('[limits.health] let 100 requests of /health pass at once', async () => {
      const answers = await burst(100, 'GET', at('health'));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    });

    it.each(['cancel', 'retry'])(
      '[limits.cancel][limits.retry] let 20 of /%s pass at once, and refuse most of 80',
      async (operation) => {
        // The bucket is full again after two seconds.
        await delay(2_000);
        const path = `${operation}/${UNKNOWN}`;
        expect(codesOf(await burst(20, 'POST', at(path)))).toEqual(['JOB_NOT_FOUND']);
        const answers = await drain(80, path, { bucket: 20, rate: 10 });
        expect(codesOf(refused(answers))).toEqual(['TOO_MANY_REQUESTS']);
      },
    );

    it('[limits.window][errors.retry] admit what comes evenly at the rate, from the second that Retry-After says', async () => {
      const path = `cancel/${UNKNOWN}`;
      const [first] = refused(await drain(80, path, { bucket: 20, rate: 10 }));
      expect(first?.headers.get('retry-after')).toBe('1');
      await delay(1_000 * Number(first?.headers.get('retry-after')));
      for (let n = 0; n < 10; n += 1) {
        expect((await ask('POST', path)).json.code).toBe('JOB_NOT_FOUND');
        await delay(100);
      }
    });

    it('[limits.endpoint] of one endpoint and operation are no other’s', async () => {
      const path = `cancel/${UNKNOWN}`;
      await drain(80, path, { bucket: 20, rate: 10 });
      expect((await ask('POST', `retry/${UNKNOWN}`)).status).toBe(404);
      const elsewhere = await burst(5, 'POST', `/nowhere/${path}`);
      expect(codesOf(elsewhere)).toEqual(['ENDPOINT_NOT_FOUND']);
    });

    it('[limits.requests][errors.429] let two of /requests pass at once', async () => {
      const answers = await drain(8, 'requests', { bucket: 2, rate: 1, method: 'GET' });
      for (const { headers } of refused(answers)) expect(headers.get('retry-after')).toBe('1');
    });

    it('[limits.endpoints] let 20 of GET /endpoints pass at once, and refuse most of 80', async () => {
      await delay(1_000);
      const answers = await burst(80, 'GET', '/endpoints', 'management');
      expect(answers.length - refused(answers).length).toBeGreaterThanOrEqual(10);
      expect(refused(answers).length).toBeGreaterThan(0);
      expect(refused(answers)[0]?.headers.get('retry-after')).toBe('1');
    });

    it('[limits.description] let 20 of GET /openapi.json pass at once, whoever asks, and refuse most of 80', async () => {
      const answers = await burst(80, 'GET', '/openapi.json');
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(10);
      expect(codesOf(refused(answers))).toEqual(['TOO_MANY_REQUESTS']);
    });
  });

  describe('the limits of bodies', () => {
    it('[limits.body] are 10 MB for /run and 20 MB for /runsync: a larger one is a 413', async () => {
      for (const [operation, bytes] of [
        ['run', 10 * MB + 1],
        ['runsync', 20 * MB + 1],
      ] as const) {
        const { status, json } = await ask('POST', operation, { body: sized(bytes) });
        expect([operation, status, json.code]).toEqual([operation, 413, 'PAYLOAD_TOO_LARGE']);
      }
    });

    it('[limits.body] let a body of 6,000,000 bytes pass', async () => {
      expect((await ask('POST', 'run', { body: sized(6_000_000) })).status).toBe(200);
    });
  });
}
