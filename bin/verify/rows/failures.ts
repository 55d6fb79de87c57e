import { before, describe, it } from 'node:test';
import { expect } from 'expect';
import type { Suite } from '../suite.ts';

/** Tests jobs that end without success, and retries. */
export function failures({ ask, ended, jobIn, run }: Suite): void {
  let submitted: Promise<string> | undefined;
  const endless = () => (submitted ??= run({ op: 'sleep', ms: 60_000 }, { executionTimeout: 5_001 }));

  describe('a job that fails', () => {
    // This job exceeds its execution timeout while these tests run.
    before(endless);

    it('[state.FAILED][job.error] is returned with 200 and the reason for the failure', async () => {
      const id = await run({ op: 'fail', message: 'no such model' });
      const { status, json } = await ended(id);
      expect([status, json]).toMatchObject([200, { status: 'FAILED', error: 'no such model', code: 'WORKER_ERROR' }]);
      expect(json).not.toHaveProperty('output');
    });

    it('[transition.retry][route.retry] runs again under its id with its input, and can complete', async () => {
      const id = await run({ op: 'crash', attempts: 3 });
      expect((await ended(id)).json).toMatchObject({ status: 'FAILED', code: 'WORKER_LOST', attempts: 3 });
      const { status, json } = await ask('POST', `retry/${id}`);
      expect([status, json]).toEqual([200, { id, status: 'IN_QUEUE' }]);
      const completed = await jobIn(id, 'COMPLETED');
      expect(completed.json).toMatchObject({ output: { survived: 4 }, attempts: 4 });
      expect(completed.json).not.toHaveProperty('error');
    });

    it('[route.runsync.failed] is returned to a waiting client with 200 and the reason for the failure', async () => {
      const body = '{"input":{"op":"fail","message":"no such model"}}';
      const { status, headers, json } = await ask('POST', 'runsync', { body });
      expect([status, json]).toMatchObject([200, { status: 'FAILED', error: 'no such model', code: 'WORKER_ERROR' }]);
      expect(headers.get('x-job-id')).toBe(json.id);
    });

    it('[errors.500] returns 500 with its record to a waiting client if its workers were lost', async () => {
      const { status, headers, json } = await ask('POST', 'runsync', { body: '{"input":{"op":"crash","code":1}}' });
      expect([status, json]).toMatchObject([500, { status: 'FAILED', code: 'WORKER_LOST', attempts: 3 }]);
      expect(json).toMatchObject({ error: expect.any(String), requestId: expect.any(String) });
      expect(headers.get('x-job-id')).toBe(json.id);
      expect((await ended(String(json.id))).status).toBe(200);
    });

    it('[transition.retry.refused][errors.400] can be retried, but a completed job cannot', async () => {
      const id = await run({});
      const { text } = await ended(id);
      const refused = await ask('POST', `retry/${id}`);
      expect(refused).toMatchObject({ status: 400, json: { code: 'JOB_NOT_RETRYABLE' } });
      expect(await ask('GET', `status/${id}`)).toMatchObject({ status: 200, text });
    });
  });

  describe('a job that runs for too long', () => {
    it('[transition.executionTimeout][state.TIMED_OUT][policy.executionTimeout][policy.executionTimeout.wins] is TIMED_OUT after its own limit', async () => {
      const { json } = await jobIn(await endless(), 'TIMED_OUT');
      expect(json).toMatchObject({ code: 'EXECUTION_TIMEOUT', error: expect.stringContaining('5001 ms') });
      expect(json.executionTime).toBe(5_001);
    });

    it('[transition.retry][route.retry] can be retried', async () => {
      const id = await endless();
      await jobIn(id, 'TIMED_OUT');
      const { status, json } = await ask('POST', `retry/${id}`);
      expect([status, json]).toEqual([200, { id, status: 'IN_QUEUE' }]);
      expect((await ask('GET', `status/${id}`)).json).not.toHaveProperty('error');
      await ask('POST', `cancel/${id}`);
    });
  });
}
