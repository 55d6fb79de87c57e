/** Tests what the store of the history does when DynamoDB refuses rows, which the emulator never does. */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { createJobHistory } from '../../aws/history/history.ts';
import { type EndedJob, endedJobSchema } from '../../core/history/ended-job.ts';
import { DAY } from '../../core/limits.ts';
import { MovedClock } from '../support/emulated-deployment.ts';

const END = Date.parse('2026-11-29T08:00:00Z');

const job = (id: string): EndedJob =>
  endedJobSchema.parse({
    endpoint: 'chat',
    id,
    status: 'COMPLETED',
    owner: 'team',
    acceptedAt: END - 2,
    queuedAt: END - 2,
    finishedAt: END,
    attempts: 1,
    rescues: 0,
    retries: 0,
  });

interface Put {
  readonly PutRequest: { readonly Item: Readonly<Record<string, unknown>> };
}

/** Returns a store over a DynamoDB that leaves the first row of each batch, for the given number of calls. */
function storeOver(refused: number) {
  const calls: (readonly Put[])[] = [];
  const send = async ({
    input,
  }: {
    readonly input: { readonly RequestItems: { readonly history: readonly Put[] } };
  }) => {
    const puts = input.RequestItems.history;
    calls.push(puts);
    return { UnprocessedItems: calls.length <= refused ? { history: puts.slice(0, 1) } : {} };
  };
  const clock = new MovedClock(END);
  const documents = { send } as unknown as DynamoDBDocumentClient;
  return { calls, history: createJobHistory(documents, { table: 'history', days: 30 }, clock) };
}

describe('the store of the history', () => {
  it('repeats the rows that DynamoDB does not process', async () => {
    const { calls, history } = storeOver(2);
    await history.save([job('a'), job('b'), job('c')]);
    expect(calls.map((puts) => puts.map(({ PutRequest }) => PutRequest.Item.id))).toEqual([
      ['a', 'b', 'c'],
      ['a'],
      ['a'],
    ]);
  });

  it('fails if DynamoDB never processes them, so that the changes arrive again', async () => {
    const { history } = storeOver(Number.POSITIVE_INFINITY);
    await expect(history.save([job('a'), job('b')])).rejects.toThrow('DynamoDB did not store 1 rows');
  });

  it('writes at most 25 rows in a call, and a row of a batch once', async () => {
    const { calls, history } = storeOver(0);
    const jobs = Array.from({ length: 30 }, (_, n) => job(`j${n}`));
    await history.save([...jobs, job('j0')]);
    expect(calls.map((puts) => puts.length)).toEqual([25, 5]);
  });

  it('removes rows after the days of the setting', async () => {
    const { calls, history } = storeOver(0);
    await history.save([job('a')]);
    expect(calls[0]?.[0]?.PutRequest.Item.removeAfter).toBe((END + 30 * DAY) / 1_000);
  });
});
