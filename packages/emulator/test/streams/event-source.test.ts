/**
 * Tests event source mappings of a stream: batches, retries, splits, and the position where the next run continues.
 */
import { describe, expect, it, jest } from '@jest/globals';
import { compilePattern } from '../../events/pattern.ts';
import { FunctionThrottled } from '../../functions/call.ts';
import { createCheckpoints } from '../../streams/checkpoints.ts';
import { type EventSource, type EventSourceHost, runEventSource } from '../../streams/event-source.ts';
import { type StreamRecord, sequenceNumber } from '../../streams/record.ts';
import { holdTime, passTime } from '../time-limits.ts';

const STREAM = 'arn:aws:dynamodb:us-east-1:000000000000:table/jobs/stream/2026-11-21T00:00:00.000';
const FUNCTION = 'arn:aws:lambda:us-east-1:000000000000:function:ledger';
const QUEUE = 'arn:aws:sqs:us-east-1:000000000000:dead';
/** Time of the first record. */
const START = Date.UTC(2026, 10, 21);

const record = (position: number, id = `job-${position}`, createdAt = START): StreamRecord => ({
  position,
  createdAt,
  event: {
    eventName: 'INSERT',
    dynamodb: { SequenceNumber: sequenceNumber(position), Keys: { id: { S: id } } },
  },
});

const records = (count: number) => Array.from({ length: count }, (_, at) => record(at + 1));

interface LambdaRecord {
  readonly dynamodb: { readonly Keys: { readonly id: { readonly S: string } } };
}

interface Scenario {
  readonly stream: StreamRecord[];
  readonly source?: Partial<EventSource>;
  /** The function. It gets the ids of the records and the current time. */
  handle?(ids: readonly string[], now: number): unknown;
  /** Called while the mapping waits. It can add records to the stream. */
  idle?(now: number, stream: StreamRecord[]): void;
  /** Files of an earlier run. */
  readonly files?: Map<string, unknown>;
  /** Stops the run as soon as it returns true. */
  until?(seen: Seen): boolean;
}

interface Seen {
  /** Ids of the records of each call. */
  readonly calls: string[][];
  /** Times of the calls, in milliseconds after the start. */
  readonly times: number[];
  readonly messages: { readonly queue: string; readonly body: Record<string, unknown> }[];
  readonly notices: string[];
  readonly trims: number[];
  readonly files: Map<string, unknown>;
}

/** Runs the mapping until all records are read, with a clock that advances only while the mapping waits. */
async function run({ stream, source, handle, idle, files = new Map(), until }: Scenario): Promise<Seen> {
  const stopping = new AbortController();
  let now = START;
  let reading = 0;
  const seen: Seen = { calls: [], times: [], messages: [], notices: [], trims: [], files };
  const mapping: EventSource = {
    id: 'Stack/Mapping',
    streamArn: STREAM,
    targetArn: FUNCTION,
    startingPosition: 'TRIM_HORIZON',
    batchSize: 100,
    window: 0,
    bisect: false,
    retries: Number.POSITIVE_INFINITY,
    maxAge: Number.POSITIVE_INFINITY,
    reportsFailures: false,
    matches: () => true,
    onFailure: QUEUE,
    ...source,
  };
  // A run that never stops must fail the test, not block it.
  const check = () => (until?.(seen) || seen.calls.length > 100) && stopping.abort();
  const state = {
    readJson: <Content>(name: string) => files.get(name) as Content | undefined,
    writeJson: (name: string, content: unknown) => files.set(name, structuredClone(content)),
  };
  const checkpoints = createCheckpoints(state, [mapping], (_stream, passed) => seen.trims.push(passed));
  const host: EventSourceHost = {
    open(_, position) {
      let at = position;
      return {
        shardId: 'shard-1',
        read(limit) {
          const next = stream.filter((item) => item.position > at).slice(0, limit);
          at = next.at(-1)?.position ?? at;
          reading = at;
          return next;
        },
      };
    },
    checkpoints,
    async invoke(_, given) {
      const ids = given.map(({ event }) => (event as unknown as LambdaRecord).dynamodb.Keys.id.S);
      seen.calls.push(ids);
      seen.times.push(now - START);
      try {
        return JSON.stringify((await handle?.(ids, now)) ?? null);
      } finally {
        check();
      }
    },
    async send(queue, body) {
      seen.messages.push({ queue, body: JSON.parse(body) });
    },
    watch: () => async (milliseconds) => {
      const before = stream.length;
      now += milliseconds;
      idle?.(now, stream);
      const isOver = stream.length === before && reading === (stream.at(-1)?.position ?? 0);
      if (isOver && !until) stopping.abort();
    },
    now: () => now,
    async pause(milliseconds) {
      now += milliseconds;
      idle?.(now, stream);
    },
    notify: (text) => seen.notices.push(text),
  };
  await runEventSource(mapping, host, stopping.signal);
  checkpoints.store();
  return seen;
}

const position = ({ files }: Seen) =>
  (files.get('stream-checkpoints.json') as { 'Stack/Mapping': { position: number } })['Stack/Mapping'].position;

const failOn = (poison: string) => (ids: readonly string[]) => {
  if (ids.includes(poison)) throw new Error('poison');
};

describe('a batch', () => {
  it('contains the available records in order, up to the batch size', async () => {
    const { calls } = await run({ stream: records(5), source: { batchSize: 2 } });
    expect(calls).toEqual([['job-1', 'job-2'], ['job-3', 'job-4'], ['job-5']]);
  });

  it('waits for more records only during its window', async () => {
    const stream = records(1);
    const idle = (now: number) => {
      if (now === START + 500) stream.push(record(2));
      if (now === START + 1_250) stream.push(record(3));
    };
    const { calls, times } = await run({ stream, source: { window: 1_000 }, idle });
    expect(calls).toEqual([['job-1', 'job-2'], ['job-3']]);
    expect(times).toEqual([1_000, 2_250]);
  });

  it('does not wait when it is full', async () => {
    const { times } = await run({ stream: records(2), source: { window: 1_000, batchSize: 2 } });
    expect(times).toEqual([0]);
  });

  it('is limited to the size of an event', async () => {
    const large = [1, 2, 3].map((at) => record(at, `${at}${'x'.repeat(2_500_000)}`));
    const { calls } = await run({ stream: large });
    expect(calls.map((ids) => ids.map(([first]) => first))).toEqual([['1', '2'], ['3']]);
  });

  it('omits records that do not match the filter, and counts them as handled', async () => {
    const pattern = { dynamodb: { Keys: { id: { S: ['job-2', 'job-3'] } } } };
    const seen = await run({ stream: records(5), source: { matches: compilePattern(pattern, 'test') } });
    expect(seen.calls).toEqual([['job-2', 'job-3']]);
    expect(position(seen)).toBe(5);
  });

  it('is not delivered if it has no record that matches the filter', async () => {
    const matches = compilePattern({ dynamodb: { Keys: { id: { S: ['job-2'] } } } }, 'test');
    const seen = await run({ stream: records(3), source: { matches, batchSize: 1 } });
    expect(seen.calls).toEqual([['job-2']]);
    expect(position(seen)).toBe(3);
  });
});

describe('a function that is throttled', () => {
  it('gets the whole batch later, which does not count as a retry', async () => {
    let throttled = 3;
    const handle = () => {
      throttled -= 1;
      if (throttled >= 0) throw new FunctionThrottled('Rate Exceeded.');
    };
    const { calls, times, messages } = await run({ stream: records(2), source: { retries: 0, bisect: true }, handle });
    expect(calls).toEqual(Array(4).fill(['job-1', 'job-2']));
    expect(times).toEqual([0, 1_000, 2_000, 3_000]);
    expect(messages).toEqual([]);
  });
});

describe('a function that fails', () => {
  it('gets the batch again after increasing pauses, and then the next batch', async () => {
    let failures = 3;
    const handle = () => {
      failures -= 1;
      if (failures >= 0) throw new Error('not now');
    };
    const { calls, times, messages } = await run({ stream: records(3), source: { batchSize: 2 }, handle });
    const [first, last] = [['job-1', 'job-2'], ['job-3']];
    expect(calls).toEqual([first, first, first, first, last]);
    expect(times).toEqual([0, 100, 300, 700, 700]);
    expect(messages).toEqual([]);
  });

  it('causes a message about the batch in the queue after the last retry', async () => {
    const handle = failOn('job-1');
    const seen = await run({ stream: records(3), source: { batchSize: 2, retries: 2 }, handle });
    const lost = ['job-1', 'job-2'];
    expect(seen.calls).toEqual([lost, lost, lost, ['job-3']]);
    expect(seen.messages).toEqual([
      {
        queue: QUEUE,
        body: {
          requestContext: {
            requestId: expect.any(String),
            functionArn: FUNCTION,
            condition: 'RetryAttemptsExhausted',
            approximateInvokeCount: 3,
          },
          responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
          version: '1.0',
          timestamp: '2026-11-21T00:00:00.300Z',
          DDBStreamBatchInfo: {
            shardId: 'shard-1',
            startSequenceNumber: '100000000000000000001',
            endSequenceNumber: '100000000000000000002',
            approximateArrivalOfFirstRecord: '2026-11-21T00:00:00Z',
            approximateArrivalOfLastRecord: '2026-11-21T00:00:00Z',
            batchSize: 2,
            streamArn: STREAM,
          },
        },
      },
    ]);
    expect(seen.notices).toHaveLength(1);
    expect(position(seen)).toBe(3);
  });

  it('discards only the record on which it fails if batches are split', async () => {
    const seen = await run({
      stream: records(8),
      source: { bisect: true, retries: 1 },
      handle: failOn('job-6'),
    });
    const ids = (...numbers: number[]) => numbers.map((number) => `job-${number}`);
    expect(seen.calls).toEqual([
      ids(1, 2, 3, 4, 5, 6, 7, 8),
      ids(1, 2, 3, 4),
      ids(5, 6, 7, 8),
      ids(5, 6),
      ids(5),
      ids(6),
      ids(6),
      ids(7, 8),
    ]);
    const info = { startSequenceNumber: sequenceNumber(6), endSequenceNumber: sequenceNumber(6), batchSize: 1 };
    expect(seen.messages.map(({ body }) => body.DDBStreamBatchInfo)).toMatchObject([info]);
    expect(position(seen)).toBe(8);
  });

  it('discards only the records that are too old', async () => {
    const stream = [record(1), record(2, 'job-2', START + 60_000)];
    const handle = (ids: readonly string[]) => {
      if (ids.includes('job-1')) throw new Error('not yet');
    };
    const { calls, messages } = await run({ stream, source: { maxAge: 60_000 }, handle });
    expect(calls.at(-1)).toEqual(['job-2']);
    expect(messages).toHaveLength(1);
    expect(messages[0]?.body).toMatchObject({
      requestContext: { condition: 'RecordAgeExceeded', approximateInvokeCount: calls.length - 1 },
      DDBStreamBatchInfo: { batchSize: 1, endSequenceNumber: sequenceNumber(1) },
    });
  });

  it('discards the batch with a message for the user if the mapping has no queue', async () => {
    const { notices, messages } = await run({
      stream: records(1),
      source: { retries: 0, onFailure: undefined },
      handle: failOn('job-1'),
    });
    expect(messages).toEqual([]);
    expect(notices).toEqual([`1 changes of jobs were discarded for ${FUNCTION} (RetryAttemptsExhausted) and lost.`]);
  });
});

describe('a function that reports failures', () => {
  const failing = (...positions: number[]) => ({
    batchItemFailures: positions.map((number) => ({ itemIdentifier: sequenceNumber(number) })),
  });
  const all = ['job-1', 'job-2', 'job-3', 'job-4'];

  it.each<[string, unknown, string[] | undefined]>([
    ['the first of the records that it names', failing(3, 2), ['job-2', 'job-3', 'job-4']],
    ['the first record if it names a record that it did not get', failing(9), all],
    ['the first record if it names an invalid record', { batchItemFailures: [{ itemIdentifier: null }] }, all],
    ['the first record if it returns a string', 'done', all],
    ['no record if it names no record', failing(), undefined],
    ['no record if its list is null', { batchItemFailures: null }, undefined],
    ['no record if it returns another object', { statusCode: 200 }, undefined],
    ['no record if it returns null', null, undefined],
  ])('is called again from %s', async (_, answer, again) => {
    const answers = [answer];
    const { calls } = await run({
      stream: records(4),
      source: { reportsFailures: true },
      handle: () => answers.shift() ?? null,
    });
    expect(calls).toEqual(again ? [all, again] : [all]);
  });

  it('affects the batch only if the mapping declares the reports', async () => {
    const { calls } = await run({ stream: records(4), handle: () => failing(2) });
    expect(calls).toEqual([all]);
  });

  it('completes the records before the first failure, and finally discards the rest', async () => {
    const seen = await run({
      stream: records(4),
      source: { reportsFailures: true, retries: 1 },
      handle: () => failing(3),
    });
    expect(seen.calls).toEqual([all, ['job-3', 'job-4']]);
    expect(seen.messages[0]?.body).toMatchObject({
      responseContext: { statusCode: 200, executedVersion: '$LATEST' },
      DDBStreamBatchInfo: { startSequenceNumber: sequenceNumber(3), batchSize: 2 },
    });
    expect(seen.messages[0]?.body.responseContext).not.toHaveProperty('functionError');
  });
});

describe('a function that reports failures, with batches that are split', () => {
  it('discards only the record that it reports every time', async () => {
    const poison = { batchItemFailures: [{ itemIdentifier: sequenceNumber(3) }] };
    const seen = await run({
      stream: records(5),
      source: { reportsFailures: true, bisect: true, retries: 1 },
      handle: (ids) => (ids.includes('job-3') ? poison : null),
    });
    expect(seen.calls.map((ids) => ids.map((id) => id.slice(4)).join(''))).toEqual([
      '12345',
      '345',
      '34',
      '3',
      '3',
      '4',
      '5',
    ]);
    expect(seen.messages.map(({ body }) => body.DDBStreamBatchInfo)).toMatchObject([{ batchSize: 1 }]);
  });
});

describe('a run of the mapping', () => {
  it('continues after the records that the previous run has completed', async () => {
    const stream = records(4);
    const first = await run({ stream, source: { batchSize: 2 }, until: ({ calls }) => calls.length === 1 });
    const { calls } = await run({ stream, source: { batchSize: 2 }, files: first.files });
    expect(calls).toEqual([['job-3', 'job-4']]);
  });

  it('repeats the records on which the previous run still failed', async () => {
    const stream = records(2);
    const handle = () => {
      throw new Error('not now');
    };
    const first = await run({ stream, handle, until: ({ calls }) => calls.length === 3 });
    const { calls } = await run({ stream, files: first.files });
    expect(calls).toEqual([['job-1', 'job-2']]);
  });

  it('starts from the beginning if the stream has changed', async () => {
    const stream = records(1);
    const { files } = await run({ stream });
    expect((await run({ stream, files })).calls).toEqual([]);
    const other = STREAM.replace('2026', '2027');
    expect((await run({ stream, files, source: { streamArn: other } })).calls).toEqual([['job-1']]);
  });

  it('skips existing records if the mapping starts at LATEST', async () => {
    const stream = records(2);
    const idle = () => {
      if (stream.length === 2) stream.push(record(3));
    };
    const { calls } = await run({ stream, source: { startingPosition: 'LATEST' }, idle });
    expect(calls).toEqual([['job-3']]);
  });

  it('trims records that it has handled, a few hundred at a time', async () => {
    expect((await run({ stream: records(500), source: { batchSize: 50 } })).trims).toEqual([500]);
    expect((await run({ stream: records(150), source: { batchSize: 50 } })).trims).toEqual([]);
  });
});

describe('the checkpoints', () => {
  it('retain the records that one of two readers of a stream has not read yet', () => {
    const trims: number[] = [];
    const readers = ['a', 'b'].map((id) => ({ id, streamArn: STREAM }));
    const [first = readers[0], second = readers[1]] = readers;
    if (!first || !second) throw new Error('Two readers are missing.');
    const state = { readJson: () => undefined, writeJson: () => undefined };
    const checkpoints = createCheckpoints(state, readers, (_, passed) => trims.push(passed));
    checkpoints.pass(first, 1_000);
    checkpoints.store();
    expect(trims).toEqual([]);
    checkpoints.pass(second, 300);
    checkpoints.store();
    expect(trims).toEqual([300]);
  });

  it('are stored a quarter of a second after the first change, in one write', async () => {
    holdTime();
    try {
      const written: unknown[] = [];
      const state = { readJson: () => undefined, writeJson: (_: string, content: unknown) => written.push(content) };
      const reader = { id: 'a', streamArn: STREAM };
      const checkpoints = createCheckpoints(state, [reader], () => undefined);
      for (const position of [1, 2, 3]) checkpoints.pass(reader, position);
      await passTime(249);
      expect(written).toEqual([]);
      await passTime(1);
      expect(written).toEqual([{ a: { streamArn: STREAM, position: 3 } }]);
      checkpoints.store();
      expect(written).toHaveLength(1);
    } finally {
      jest.useRealTimers();
    }
  });
});
