import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'expect';
import type { Suite } from '../suite.ts';

export function retention({ ask, ended, run }: Suite): void {
  describe('a result', () => {
    it('[route.status.ttl][retention.run][retention.retry] expires after ?ttl=, and its job cannot be retried', async () => {
      const id = await run({ op: 'fail' });
      const { text } = await ended(id);
      expect(await ask('GET', `status/${id}?ttl=1000`)).toMatchObject({ status: 200, text });
      await delay(1_100);
      for (const [method, path] of [
        ['GET', `status/${id}`],
        ['GET', `status-sync/${id}`],
        ['GET', `stream/${id}`],
        ['POST', `cancel/${id}`],
        ['POST', `retry/${id}`],
      ] as const) {
        const { status, json } = await ask(method, path);
        expect([path, status, json.code]).toEqual([path, 404, 'JOB_EXPIRED']);
      }
    });

    it('[route.status.ttl] of a running job expires ?ttl= milliseconds after the job ends', async () => {
      const id = await run({ op: 'sleep', ms: 500 });
      expect((await ask('POST', `status/${id}?ttl=1000`)).status).toBe(200);
      expect((await ended(id)).json.status).toBe('COMPLETED');
      await delay(1_100);
      expect((await ask('GET', `status/${id}`)).json.code).toBe('JOB_EXPIRED');
    });

    it('[route.status.ttl][retention.runsync][errors.400] is not retained longer with ?ttl=, which must be at least 1000', async () => {
      const { json, text } = await ask('POST', 'runsync', { body: '{"input":{}}' });
      expect(await ask('GET', `status/${json.id}?ttl=604800000`)).toMatchObject({ status: 200, text });
      for (const ttl of ['999', '0', '-1', '1e4', '1000.5', 'x', '']) {
        const { status, json: refused } = await ask('GET', `status/${json.id}?ttl=${ttl}`);
        expect([ttl, status, refused.code]).toEqual([ttl, 400, 'INVALID_REQUEST']);
      }
      expect(await ask('GET', `status/${json.id}`)).toMatchObject({ status: 200, text });
    });
  });
}
