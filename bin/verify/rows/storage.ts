import { createHash, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { expect } from 'expect';
import type { Suite } from '../suite.ts';

/** S3 settings of a job, which only its worker can read. */
export function storage({ ask, ended, run }: Suite): void {
  const secret = randomBytes(24).toString('hex');
  const settings = {
    accessId: 'id',
    accessSecret: secret,
    bucketName: 'bucket',
    endpointUrl: 'https://storage.example',
  };
  const submit = (s3Config: unknown) => ask('POST', 'run', { body: JSON.stringify({ input: { op: 's3' }, s3Config }) });

  describe('s3Config', () => {
    it('[body.s3Config][s3Config.accessId][s3Config.accessSecret][s3Config.bucketName][s3Config.endpointUrl] reaches the worker', async () => {
      const { json } = await submit(settings);
      const { output } = (await ended(String(json.id))).json;
      const digest = createHash('sha256').update(secret).digest('hex');
      expect(output).toEqual({ fields: Object.keys(settings), digest });
    });

    it('[body.s3Config] is in no response', async () => {
      const submitted = await submit(settings);
      const id = String(submitted.json.id);
      const answers = [submitted, await ended(id), await ask('GET', `stream/${id}`), await ask('POST', `cancel/${id}`)];
      for (const { text } of answers)
        expect([text.includes(secret), text.includes('s3Config')]).toEqual([false, false]);
    });

    it('[s3Config.accessId][s3Config.accessSecret][s3Config.bucketName][s3Config.endpointUrl] must have strings; the error contains no values', async () => {
      for (const name of Object.keys(settings)) {
        const { status, json, text } = await submit({ ...settings, [name]: [secret] });
        expect([name, status, json.code]).toEqual([name, 400, 'INVALID_REQUEST']);
        expect(json.error).toContain(`\`s3Config.${name}\``);
        expect(text).not.toContain(secret);
      }
      for (const wrong of [null, [], 'bucket']) expect((await submit(wrong)).status).toBe(400);
      expect((await submit({})).status).toBe(200);
      expect((await ended(await run({ none: 1 }))).json.output).toEqual({ none: 1 });
    });
  });
}
