/** Tests the rules of `logs` over lines in memory; `test/aws/logs.test.ts` has the adapter. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Endpoint } from '../../core/endpoints/endpoint.ts';
import type { Job, QueuedJob } from '../../core/jobs/job.ts';
import { apply } from '../../core/jobs/machine.ts';
import { logLimits } from '../../core/limits.ts';
import { logs } from '../../core/logs/logs.ts';
import type { LogQuery } from '../../core/logs/store.ts';
import { InvalidRequest, JobExpired, JobNotFound } from '../../core/requests/errors.ts';
import { facts } from '../jobs/job-in-each-status.ts';
import { queuedJob } from '../jobs/queued-job.ts';

const [A, B] = ['a', 'b'].map((letter) => letter.repeat(36)) as [string, string];
const STARTED = 2_000;
const ENDED = 3_000;

interface Printed {
  readonly source: 'agent' | 'worker';
  readonly time: number;
  readonly message: string;
}

let printed: Printed[];
let job: Job | undefined;
let concurrency: number;
let now: number;

const waiting: QueuedJob = { ...queuedJob(1_000), id: A };
const running: Job = apply('take', waiting, { ...facts, $now: STARTED });
const ended = apply('complete', running, { ...facts, $now: ENDED });

beforeEach(() => {
  printed = [];
  job = ended;
  concurrency = 1;
  now = 4_000;
});

/** Adds a line of the container. */
const print = (time: number, message: string) => void printed.push({ source: 'worker', time, message });
/** Adds a line of the agent, which is stored shortly after it was written. */
const say = (time: number, fields: object) => {
  const message = JSON.stringify({ timestamp: new Date(time).toISOString(), ...fields });
  printed.push({ source: 'agent', time: time + 7, message });
};
const hold = (time: number, jobId: string, holds: boolean, held = holds ? 1 : 0) => say(time, { jobId, holds, held });

const ports = {
  clock: { now: () => now },
  jobs: { read: async ({ id }: { id: string }) => (job?.id === id ? job : undefined) },
  endpoints: {
    read: async () => ({ concurrency, logGroup: 'group', generation: 0, purgedAt: 0 }) as unknown as Endpoint,
  },
  logs: {
    read: async (query: LogQuery) => {
      const { group, worker, source, from, until = Number.POSITIVE_INFINITY, containing = '', enough } = query;
      expect([group, worker]).toEqual(['group', 'w1']);
      const all = printed
        .filter((line) => line.source === source && from <= line.time && line.time <= until)
        .filter(({ message }) => message.includes(containing))
        .sort((one, other) => one.time - other.time);
      return { lines: all.slice(0, enough), complete: all.length <= enough };
    },
  },
} as unknown as Parameters<typeof logs>[0];

interface Answer {
  readonly status: string;
  readonly workerId?: string;
  readonly lines: readonly { source: string; chosenBy: string; message: string; time: string; truncated?: true }[];
  readonly nextCursor?: string;
}

const read = async (query: { limit?: string; cursor?: string } = {}): Promise<Answer> =>
  JSON.parse(await logs(ports, { endpoint: 'echo', id: A, ...query }));

/** @returns the container's lines of the job, read page by page */
async function messages(limit?: string): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < 100; pages += 1) {
    const { lines, nextCursor } = await read({ ...(limit && { limit }), ...(cursor && { cursor }) });
    found.push(...lines.filter(({ source }) => source === 'worker').map(({ message }) => message));
    if (nextCursor === undefined) return found;
    cursor = nextCursor;
  }
  throw new Error('The log has no last page.');
}

describe('on a worker that runs one job at a time, the log', () => {
  it('contains the lines of the worker and the agent from the take to the end of the job, in order', async () => {
    hold(2_010, A, true);
    for (const time of [1_990, 2_005, 2_009]) print(time, `before ${time}`);
    print(2_010, 'first');
    print(2_500, 'second');
    print(3_004, 'late');
    hold(3_005, A, false);
    for (const time of [3_005, 3_006]) print(time, `behind ${time}`);
    print(3_007, `behind ${A}`);
    const answer = await read();
    expect(answer).toMatchObject({ status: 'COMPLETED', workerId: 'w1', attempts: 1 });
    expect(answer).not.toHaveProperty('nextCursor');
    expect(answer.lines.map(({ source, chosenBy, message }) => [source, chosenBy, message.slice(0, 6)])).toEqual([
      ['agent', 'JOB_ID', '{"time'],
      ['worker', 'TIME', 'first'],
      ['worker', 'TIME', 'second'],
      ['worker', 'TIME', 'late'],
      ['agent', 'JOB_ID', '{"time'],
    ]);
    expect(answer.lines[1]?.time).toBe(new Date(2_010).toISOString());
  });

  it('contains no line of the next job, even before the agent reports the end of the first', async () => {
    hold(2_010, A, true);
    print(2_500, 'mine');
    print(ENDED, 'whose?');
    print(3_001, 'the next one’s');
    print(3_500, `the next one’s, about ${A}`);
    expect(await messages()).toEqual(['mine']);
  });

  it('contains no line that names another job, or that was printed while another job ran', async () => {
    hold(2_010, A, true);
    print(2_100, JSON.stringify({ jobId: B, message: `late, of ${A}` }));
    print(2_200, JSON.stringify({ requestId: B, message: 'late' }));
    print(2_300, 'mine');
    hold(2_400, B, true, 2);
    print(2_500, 'whose?');
    print(2_600, JSON.stringify({ requestId: A, message: 'mine too' }));
    hold(2_700, B, false, 1);
    print(2_800, 'mine again');
    expect(await messages()).toEqual(['mine', expect.stringContaining('mine too'), 'mine again']);
  });

  it('selects no line by its time if the agent has not reported that it holds the job', async () => {
    print(2_500, 'whose?');
    print(2_600, `of ${A}`);
    expect(await messages()).toEqual([`of ${A}`]);
  });

  it('continues at the last cursor while the job runs, and never beyond the time of the request', async () => {
    job = running;
    now = 2_600;
    hold(2_010, A, true);
    print(2_500, 'one');
    print(2_601, 'of the future');
    const first = await read();
    expect(first).toMatchObject({ status: 'IN_PROGRESS', lines: [{}, { message: 'one' }] });
    const again = await read({ cursor: first.nextCursor ?? '' });
    expect(again.lines).toEqual([]);
    now = 2_700;
    expect((await read({ cursor: again.nextCursor ?? '' })).lines).toMatchObject([{ message: 'of the future' }]);
  });
});

describe('on a worker that runs several jobs at the same time, the log', () => {
  it('contains only the lines that name the job, at any time', async () => {
    concurrency = 4;
    hold(2_010, A, true);
    print(2_100, 'whose?');
    print(2_200, JSON.stringify({ jobId: A, message: 'mine' }));
    print(2_300, JSON.stringify({ jobId: B, message: `of b about ${A}` }));
    print(3_100, `${A}: mine, and late`);
    expect(await messages()).toEqual([expect.stringContaining('mine'), `${A}: mine, and late`]);
  });
});

describe('a page of the log', () => {
  it.each([1, 2, 3, 7, 1_000])(
    'of %i lines continues where the previous page ended, with many lines in one millisecond',
    async (limit) => {
      hold(2_010, A, true);
      const all = Array.from({ length: 23 }, (_, n) => ({ time: 2_020 + Math.floor(n / 9), text: `line ${n}` }));
      for (const { time, text } of all) print(time, text);
      hold(3_001, A, false);
      expect(await messages(String(limit))).toEqual(all.map(({ text }) => text));
    },
  );

  it('skips many lines of other jobs', async () => {
    hold(2_010, A, true, 2);
    for (let n = 0; n < 50; n += 1) print(2_020, `whose ${n}?`);
    print(2_021, `of ${A}`);
    hold(3_001, A, false, 1);
    expect(await messages('1')).toEqual([`of ${A}`]);
  });

  it('cuts giant lines, and is smaller than the largest response of a function', async () => {
    hold(2_010, A, true);
    const giant = '\u0001'.repeat(2 * logLimits.message);
    for (let n = 0; n < 100; n += 1) print(2_020 + n, giant);
    const answer = await read({ limit: '1000' });
    expect(answer.lines[1]).toMatchObject({ message: giant.slice(0, logLimits.message), truncated: true });
    expect(JSON.stringify(answer).length).toBeLessThan(4.1 * 1024 * 1024);
    expect(await messages('1000')).toHaveLength(100);
  });

  it('has no half of a surrogate pair where a line is cut', async () => {
    hold(2_010, A, true);
    print(2_020, `${'x'.repeat(logLimits.message - 1)}\u{1f600}`);
    expect(await messages()).toEqual([`${'x'.repeat(logLimits.message - 1)}\ufffd`]);
  });

  it.each([
    [{ limit: '0' }, 'from 1 to 1000'],
    [{ limit: '1001' }, 'from 1 to 1000'],
    [{ limit: 'all' }, 'from 1 to 1000'],
    [{ cursor: 'none' }, '`cursor` must be'],
  ])('is refused with %j', async (query, message) => {
    await expect(read(query)).rejects.toThrow(InvalidRequest);
    await expect(read(query)).rejects.toThrow(message);
  });

  it('is refused with the cursor of another job', async () => {
    job = running;
    const { nextCursor = '' } = await read();
    job = { ...running, id: B };
    await expect(logs(ports, { endpoint: 'echo', id: B, cursor: nextCursor })).rejects.toThrow(InvalidRequest);
  });
});

describe('a log without lines', () => {
  it.each([
    ['waits', waiting],
    ['waits again', apply('requeue', running, facts)],
    ['has never run', apply('cancelQueued', waiting, facts)],
  ])('is returned for a job that %s', async (_, its) => {
    job = its;
    print(2_500, `of ${A}`);
    expect(await read()).toEqual({ id: A, status: its.status, attempts: its.attempt, lines: [] });
  });

  it('is refused for a job that does not exist or has expired', async () => {
    now = ENDED + ended.retention;
    await expect(read()).rejects.toThrow(JobExpired);
    job = undefined;
    await expect(read()).rejects.toThrow(JobNotFound);
  });
});
