/** Routes of the job interface that the contract does not have. Lists of jobs and calls of OpenAI have files of their own. */
import { describe, it } from 'node:test';
import { expect } from 'expect';
import type { Suite } from '../suite.ts';

/** Sizes of inputs that are stored in the job, in a table, and in an S3 object. */
const SIZES = [1, 1_000, 20_000];

export function routesOfJobs({ ask, ended, run }: Suite): void {
  describe('the input of a job', () => {
    for (const size of SIZES)
      it(`[route.input] is returned unchanged, with a string of ${size} characters`, async () => {
        const input = `{"big":12345678901234567890, "zero":-0,"text":"\\u00e9${'x'.repeat(size)}"}`;
        const body = `{"s3Config":{"accessSecret":"hidden"},"input":${input}}`;
        const { json } = await ask('POST', 'run', { body });
        await ended(String(json.id));
        const { status, text, headers } = await ask('GET', `input/${json.id}`);
        expect([status, text, headers.get('content-type')]).toEqual([200, input, 'application/json']);
      });

    it('[route.input][errors.404] returns 404 if the job does not exist', async () => {
      for (const id of ['0'.repeat(36), 'x']) {
        const { status, json } = await ask('GET', `input/${id}`);
        expect([status, json.code]).toEqual([404, 'JOB_NOT_FOUND']);
      }
    });
  });

  describe('the log lines of a job', () => {
    it('[route.logs] are listed with the attempt that printed them', async () => {
      const id = await run({ text: 'hello' });
      await ended(id);
      const { status, json } = await ask('GET', `logs/${id}`);
      expect([status, json]).toEqual([200, expect.objectContaining({ id, status: 'COMPLETED', attempts: 1 })]);
      expect(json.lines).toBeInstanceOf(Array);
    });

    it('[route.logs][errors.404] are not found if the job does not exist', async () => {
      const { status, json } = await ask('GET', `logs/${'0'.repeat(36)}`);
      expect([status, json.code]).toEqual([404, 'JOB_NOT_FOUND']);
    });
  });

  describe('a failed delivery of a webhook', () => {
    it('[route.webhooks] is in the list of the endpoint, which is empty without one', async () => {
      const { status, json } = await ask('GET', 'webhooks');
      expect([status, json.webhooks]).toEqual([200, expect.any(Array)]);
    });

    it('[route.resend][errors.404] is not found if the job has no webhook', async () => {
      const id = await run({ text: 'hello' });
      await ended(id);
      const { status, json } = await ask('POST', `webhooks/${id}/resend`);
      expect([status, json.code]).toEqual([404, 'WEBHOOK_NOT_FOUND']);
    });
  });
}
