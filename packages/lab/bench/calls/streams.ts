/**
 * Counts the writes of a job that streams, and the reads of a call that follows its stream. Both run in this
 * process, with a clock that jumps from one pause to the next, and with ports that count their calls.
 */

import type { Job, RunningJob } from '../../../../core/jobs/job.ts';
import { MINUTE, SECOND } from '../../../../core/limits.ts';
import { type FollowPorts, followChunks } from '../../../../core/streams/follow.ts';
import type { StoredChunk } from '../../../../core/streams/store.ts';
import { createChunkStream } from '../../../../worker/agent/chunk-stream.ts';
import { createJumpingClock } from './jumping-clock.ts';

/** Figures of one second of a stream, with one call that follows the stream. */
export interface StreamFigures {
  /** Number of chunks that the worker sends. */
  readonly chunks: number;
  readonly putItem: number;
  readonly wru: number;
  /** Write units if each chunk were a separate item. */
  readonly wruOfItems: number;
  readonly query: number;
  readonly batchGetItem: number;
  readonly rru: number;
}

/** A fixed start time in milliseconds, so that the counts are always the same. */
const START = Date.UTC(2026, 0, 1);
const LENGTH = 20 * SECOND;
/** Size of a chunk in bytes: an event with a token, as servers with OpenAI's interface send it. */
const CHUNK = 250;
/** Bytes that a chunk adds to an item of several chunks, without its output: its name, number and sizes. */
const ELEMENT = 60;
/** Bytes of an item without its output: its keys, the names of its attributes, and `removeAfter`. */
const ITEM = 150;
const [WRITE_UNIT, READ_UNIT] = [1_024, 4_096];

const job = {
  endpoint: 'echo',
  id: '0'.repeat(36),
  status: 'IN_PROGRESS',
  worker: 'w1',
  attempt: 1,
  generation: 0,
  executionDeadline: START + 10 * MINUTE,
  retention: MINUTE,
} as unknown as RunningJob;

async function measureStream(perSecond: number): Promise<StreamFigures> {
  const { clock, run } = createJumpingClock(START);
  const stored: StoredChunk[] = [];
  let present: Job = job;
  const sums = { putItem: 0, wru: 0, wruOfItems: 0, query: 0, batchGetItem: 0, rru: 0 };
  const chunks: FollowPorts['chunks'] = {
    async write(_key, _attempt, first, batch) {
      sums.putItem += 1;
      sums.wru += Math.ceil((batch.length * (CHUNK + ELEMENT) + ITEM) / WRITE_UNIT);
      sums.wruOfItems += batch.length * Math.ceil((CHUNK + ITEM) / WRITE_UNIT);
      for (const [n, chunk] of batch.entries()) stored[first + n] = chunk;
    },
    async *list(_key, _attempt, from, before) {
      const found = stored.slice(from, Math.min(before, stored.length));
      sums.query += 1;
      sums.rru += Math.max(1, Math.ceil((found.length * (CHUNK + ELEMENT) + ITEM) / READ_UNIT));
      for (const [n, chunk] of found.entries()) yield { number: from + n, chunk };
    },
  };
  const ports = {
    clock,
    chunks,
    jobs: {
      async readMany(keys: readonly unknown[]) {
        sums.batchGetItem += 1;
        sums.rru += keys.length;
        return keys.map(() => present);
      },
    },
  } as unknown as FollowPorts;

  async function stream(): Promise<void> {
    const worker = createChunkStream(ports, job, { error: () => undefined });
    const output = JSON.stringify('x'.repeat(CHUNK - 2));
    const count = (perSecond * LENGTH) / SECOND;
    for (let n = 0; n < count; n += 1) {
      await clock.pause(START + (n * SECOND) / perSecond - clock.now());
      await worker.append({ output });
    }
    await worker.count();
    const ended = { status: 'COMPLETED', chunks: count, finishedAt: clock.now(), removeAfter: 0 };
    present = { ...job, ...ended } as unknown as Job;
  }

  async function follow(): Promise<void> {
    for await (const portion of followChunks(ports, job, { wait: MINUTE })) for await (const _ of portion.chunks);
  }

  const both = Promise.all([stream(), follow()]);
  await run();
  await both;
  const perSecondOf = (sum: number) => Math.round((10 * sum * SECOND) / LENGTH) / 10;
  const entries = Object.entries(sums).map(([name, sum]) => [name, perSecondOf(sum)]);
  return { chunks: perSecond, ...(Object.fromEntries(entries) as Record<keyof typeof sums, number>) };
}

export async function measureStreams(): Promise<StreamFigures[]> {
  const measured: StreamFigures[] = [];
  for (const perSecond of [5, 20, 50, 100]) measured.push(await measureStream(perSecond));
  return measured;
}

/** @returns a sentence for each stream that costs more than recorded */
export function grownStreams(before: readonly StreamFigures[], now: readonly StreamFigures[]): string[] {
  const compared = ['putItem', 'wru', 'rru'] as const;
  return now.flatMap((one) => {
    const recorded = before.find(({ chunks }) => chunks === one.chunks);
    const grown = compared.filter((name) => !recorded || one[name] > recorded[name]);
    return grown.map(
      (name) =>
        `A stream of ${one.chunks} chunks a second uses ${one[name]} ${name} a second; ` +
        `${recorded?.[name] ?? 'nothing'} is recorded.`,
    );
  });
}
