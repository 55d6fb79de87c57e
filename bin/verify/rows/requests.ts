import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'expect';
import type { Answer } from '../client.ts';
import type { Suite } from '../suite.ts';

export function requests({ ask, ended, run }: Suite): void {
  /** Waits as long as a refusal requires. Other rows have used up the limit of the operation in the last 10 s. */
  async function list(query: string): Promise<Answer> {
    const answer = await ask('GET', `requests${query}`);
    if (answer.status !== 429) return answer;
    await delay(1_000 * Number(answer.headers.get('retry-after')));
    return ask('GET', `requests${query}`);
  }
  const idsOf = ({ json }: Answer) => (json.requests as { id: string }[]).map(({ id }) => id);

  describe('the list of jobs', () => {
    it('[route.requests] begins with the newest job, and continues from its cursor', async () => {
      const ids: string[] = [];
      for (let n = 0; n < 3; n += 1) ids.unshift(await run({ n }));
      for (const id of ids) await ended(id);
      const first = await list('?status=COMPLETED&limit=2');
      expect(idsOf(first)).toEqual(ids.slice(0, 2));
      const [newest] = first.json.requests as object[];
      expect(newest).toMatchObject({
        status: 'COMPLETED',
        executionTime: expect.any(Number),
        createdAt: expect.any(String),
      });
      expect(newest).not.toHaveProperty('output');
      const next = await list(`?status=COMPLETED&limit=1&cursor=${first.json.nextCursor}`);
      expect(idsOf(next)).toEqual(ids.slice(2));
    });

    it('[route.requests][errors.400] refuses invalid parameters', async () => {
      for (const query of ['?limit=101', '?status=RUNNING', '?cursor=x']) {
        const { status, json } = await list(query);
        expect([query, status, json.code]).toEqual([query, 400, 'INVALID_REQUEST']);
      }
    });
  });
}
