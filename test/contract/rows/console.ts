/** Requests that the web console makes beside those of programs. */
import { describe, expect, it } from '@jest/globals';
import type { Suite } from '../suite.ts';

/** In the job, in a table, and in an object. */
const SIZES = [1, 1_000, 20_000];

export function consoleRoutes({ ask, ended }: Suite): void {
  describe('the input of a job', () => {
    it.each(SIZES)('[route.input] is returned as it was sent, with a text of %d characters', async (size) => {
      const input = `{"big":12345678901234567890, "zero":-0,"text":"\\u00e9${'x'.repeat(size)}"}`;
      const body = `{"s3Config":{"accessSecret":"hidden"},"input":${input}}`;
      const { json } = await ask('POST', 'run', { body });
      await ended(String(json.id));
      const { status, text, headers } = await ask('GET', `input/${json.id}`);
      expect([status, text, headers.get('content-type')]).toEqual([200, input, 'application/json']);
    });

    it('[route.input][errors.404] is not found of a job that does not exist', async () => {
      for (const id of ['0'.repeat(36), 'x']) {
        const { status, json } = await ask('GET', `input/${id}`);
        expect([status, json.code]).toEqual([404, 'JOB_NOT_FOUND']);
      }
    });
  });
}
