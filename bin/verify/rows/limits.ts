import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'expect';
import { codesOf, createBursts, refused } from '../bursts.ts';
import type { Answer } from '../client.ts';
import type { Suite } from '../suite.ts';

const UNKNOWN = '0'.repeat(36);
const MB = 1024 * 1024;
const WINDOW = 10_000;
/** Concurrent requests of /cancel and /requests that the contract allows. */
const CANCELS = 20;
const LISTS = 2;
/** Maximum number of bursts in which no two requests of an idle machine might meet. */
const BURSTS = 5;

/** Returns a body with this number of bytes. */
const sized = (bytes: number) => `{"input":{"a":"${'x'.repeat(bytes - '{"input":{"a":""}}'.length)}"}}`;

/** Sends bursts until a request is refused with this message. Bursts that use up the rate wait for its window. */
async function findRefusal(send: () => Promise<Answer[]>, message: string): Promise<Answer | undefined> {
  for (let n = 0; n < BURSTS; n += 1) {
    const answers = await send();
    const found = answers.find(({ json }) => String(json.error).endsWith(message));
    if (found) return found;
    if (refused(answers).length > 0) await delay(WINDOW);
  }
  return undefined;
}

export function limits(suite: Suite): void {
  const { ask } = suite;
  const { at, burst, drain } = createBursts(suite);

  describe('the limits of requests', () => {
    it('[limits.runsync] admit 100 concurrent requests of /runsync', async () => {
      // The requests are refused for another reason, so no call waits.
      expect(codesOf(await burst(100, 'POST', at('runsync?wait=1')))).toEqual(['INVALID_REQUEST']);
    });

    it('[limits.status][limits.status-sync][limits.stream] admit 25 concurrent reads of each kind', async () => {
      for (const operation of ['status', 'status-sync', 'stream'])
        for (const method of ['GET', 'POST'])
          expect(codesOf(await burst(25, method, at(`${operation}/${UNKNOWN}`)))).toEqual(['JOB_NOT_FOUND']);
    });

    it('[limits.health] admit 100 concurrent requests of /health', async () => {
      const answers = await burst(100, 'GET', at('health'));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    });

    it('[limits.cancel] admit 100 requests of /cancel and no further request for 10 seconds', async () => {
      const path = `cancel/${UNKNOWN}`;
      await delay(WINDOW);
      const begin = performance.now();
      for (let n = 0; n < 100 / CANCELS; n += 1)
        expect(codesOf(await burst(CANCELS, 'POST', at(path)))).toEqual(['JOB_NOT_FOUND']);
      const { json, headers } = await ask('POST', path);
      const isWithin = performance.now() - begin < WINDOW;
      expect(json.code).toBe(isWithin ? 'TOO_MANY_REQUESTS' : 'JOB_NOT_FOUND');
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(10);
      // Other rows also cancel jobs.
      await delay(WINDOW);
    });

    it('[limits.cancel.concurrent] admit 20 requests of /cancel at the same time, and refuse others with the limit', async () => {
      // The functions of a laptop run 16 calls at the same time, so only the proofs of this row see a refusal there.
      const answers = await burst(2 * CANCELS, 'POST', at(`cancel/${UNKNOWN}`));
      expect(answers.length - refused(answers).length).toBeGreaterThanOrEqual(CANCELS);
      for (const { json } of refused(answers)) expect(json.error).toContain(`allows ${CANCELS} \`cancel\` requests at`);
      await delay(WINDOW);
    });

    it('[limits.requests.concurrent] refuse more than two requests of /requests at the same time, with the limit', async () => {
      const error = `allows ${LISTS} \`requests\` requests at the same time. Try again in 1 s.`;
      const found = await findRefusal(() => burst(5 * LISTS, 'GET', at('requests')), error);
      expect(found?.status).toBe(429);
      expect(found?.headers.get('retry-after')).toBe('1');
    });

    it('[limits.concurrent] do not count concurrent requests of /run and of reads that do not wait', async () => {
      expect(codesOf(await burst(210, 'POST', at('run')))).toEqual(['INVALID_REQUEST']);
      expect(codesOf(await burst(410, 'GET', at(`status/${UNKNOWN}`)))).toEqual(['JOB_NOT_FOUND']);
    });

    it('[limits.retry] admit 100 concurrent requests of /retry, and refuse further requests', async () => {
      const path = at(`retry/${UNKNOWN}`);
      expect(codesOf(await burst(100, 'POST', path))).toEqual(['JOB_NOT_FOUND']);
      await drain(path, { bucket: 100, rate: 10 });
    });

    it('[limits.window][limits.message][errors.retry] admit requests that are sent evenly at the rate, after the seconds in Retry-After', async () => {
      const path = `retry/${UNKNOWN}`;
      const [first] = refused(await drain(at(path), { bucket: 100, rate: 10 }));
      expect(first?.headers.get('retry-after')).toBe('1');
      expect(first?.json.error).toContain('allows 100 `retry` requests per 10 seconds.');
      await delay(1_000 * Number(first?.headers.get('retry-after')));
      for (let n = 0; n < 10; n += 1) {
        expect((await ask('POST', path)).json.code).toBe('JOB_NOT_FOUND');
        await delay(100);
      }
    });

    it('[limits.endpoint] count each endpoint and operation separately', async () => {
      const path = `retry/${UNKNOWN}`;
      await drain(at(path), { bucket: 100, rate: 10 });
      expect((await ask('GET', `status/${UNKNOWN}`)).status).toBe(404);
      const elsewhere = await burst(5, 'POST', `/nowhere/${path}`);
      expect(codesOf(elsewhere)).toEqual(['ENDPOINT_NOT_FOUND']);
    });

    it('[limits.requests][errors.429] admit ten requests of /requests and no further request for 10 seconds', async () => {
      await delay(WINDOW);
      const begin = performance.now();
      for (let n = 0; n < 10; n += 1) expect((await ask('GET', 'requests')).status).toBe(200);
      const { status, json, headers } = await ask('GET', 'requests');
      if (performance.now() - begin >= WINDOW) return expect(status).toBe(200);
      expect(json.code).toBe('TOO_MANY_REQUESTS');
      expect(json.error).toContain('allows 10 `requests` requests per 10 seconds');
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(10);
    });

    it('[limits.endpoints] admit 100 requests of GET /endpoints in 10 seconds, and refuse further requests', async () => {
      const limit = { bucket: 100, rate: 10, method: 'GET', name: 'management' } as const;
      const [first] = refused(await drain('/endpoints', limit));
      expect(first?.headers.get('retry-after')).toBe('1');
    });

    it('[limits.description] admit 100 requests of GET /openapi.json in 10 seconds from all callers together', async () => {
      await drain('/openapi.json', { bucket: 100, rate: 10, method: 'GET' });
    });
  });

  describe('the limits of bodies', () => {
    for (const [operation, bytes] of [
      ['run', 10 * MB],
      ['runsync', 20 * MB],
    ] as const) {
      // All workers are busy, so a longer wait would end without a result too.
      const path = operation === 'runsync' ? 'runsync?wait=1000' : operation;
      it(`[limits.body] allow bodies of /${operation} with ${bytes} bytes, and answer 413 to one byte more`, async () => {
        const taken = await ask('POST', path, { body: sized(bytes) });
        expect([taken.status, taken.json.code]).toEqual([200, undefined]);
        const { status, json } = await ask('POST', path, { body: sized(bytes + 1) });
        expect([status, json.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
      });
    }
  });
}
