import { describe, it } from 'node:test';
import { expect } from 'expect';
import type { Suite } from '../suite.ts';

const WEEK = 604_800_000;

/** Tests the fields of a policy. */
export function policies({ ask, ended, run }: Suite): void {
  const answerTo = async (policy: unknown) => {
    const { status, json } = await ask('POST', 'run', { body: JSON.stringify({ input: {}, policy }) });
    return { status, error: String(json.error ?? '') };
  };
  const accepted = { status: 200, error: '' };
  const refused = (...parts: string[]) => ({ status: 400, error: expect.stringMatching(parts.join('.*')) });

  describe('a policy', () => {
    it('[body.policy][limits.policy] can be absent or empty, and must be an object', async () => {
      for (const policy of [undefined, {}, { executionTimeout: 600_000, ttl: 86_400_000 }])
        expect(await answerTo(policy)).toEqual(accepted);
      for (const policy of [null, [], 'fast', 7])
        expect(await answerTo(policy)).toEqual(refused('`policy` must be an object'));
    });

    it('[policy.executionTimeout.min][limits.policy] allows only an executionTimeout above 5000', async () => {
      for (const executionTimeout of [5_001, WEEK]) expect(await answerTo({ executionTimeout })).toEqual(accepted);
      for (const executionTimeout of [5_000, 0, -1, 6_000.5, '6000', null])
        expect(await answerTo({ executionTimeout })).toEqual(refused('`policy.executionTimeout`', '5001'));
    });

    it('[policy.ttl.min][limits.policy] allows only a ttl of at least 10000', async () => {
      expect(await answerTo({ ttl: 10_000 })).toEqual(accepted);
      for (const ttl of [9_999, 0, -1, 10_000.5, '10000', null])
        expect(await answerTo({ ttl })).toEqual(refused('`policy.ttl`', '10000'));
    });

    it('[policy.ttl.max][limits.policy] allows only a ttl of at most a week', async () => {
      expect(await answerTo({ ttl: WEEK })).toEqual(accepted);
      for (const ttl of [WEEK + 1, 1e15])
        expect(await answerTo({ ttl })).toEqual(refused('`policy.ttl`', String(WEEK)));
    });

    it('[policy.lowPriority] allows only true and false as lowPriority', async () => {
      const id = await run({ n: 1 }, { lowPriority: true });
      expect((await ended(id)).json).toMatchObject({ status: 'COMPLETED', output: { n: 1 } });
      expect(await answerTo({ lowPriority: false })).toEqual(accepted);
      for (const lowPriority of [1, 'true', null])
        expect(await answerTo({ lowPriority })).toEqual(refused('`policy.lowPriority` must be true or false'));
    });
  });
}
