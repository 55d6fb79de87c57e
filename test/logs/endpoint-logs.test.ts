/** Tests the lines of all workers of an endpoint over lines in memory; `test/aws/logs.test.ts` has the adapter. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Endpoint } from '../../core/endpoints/endpoint.ts';
import { type EndpointLogsRequest, endpointLogLimits, endpointLogs } from '../../core/logs/endpoint-logs.ts';
import type { EndpointLogQuery, WorkerLine } from '../../core/logs/store.ts';
import { InvalidRequest } from '../../core/requests/errors.ts';

const [FIRST, SECOND] = ['a', 'b'].map((letter) => letter.repeat(32)) as [string, string];
const START = Date.parse('2026-11-01T12:00:00Z');

let printed: (WorkerLine & { source: string })[];
let now: number;
let searches: EndpointLogQuery[];
beforeEach(() => {
  printed = [];
  now = START;
  searches = [];
});

/** Adds a line that was printed some seconds after the start. */
const print = (seconds: number, message: string, worker = FIRST, source = 'worker') =>
  void printed.push({ time: START + 1_000 * seconds, message, worker, source });

const ports = {
  clock: { now: () => now },
  endpoints: { read: async () => ({ id: 'chat', logGroup: 'group' }) as unknown as Endpoint },
  logs: {
    readAll: async (query: EndpointLogQuery) => {
      searches.push(query);
      const { source, worker, from, until, enough } = query;
      const all = printed
        .filter((line) => line.source === source && (worker === undefined || line.worker === worker))
        .filter(({ time }) => from <= time && time <= until)
        .sort((one, other) => one.time - other.time);
      return { lines: all.slice(0, enough), complete: all.length <= enough };
    },
  },
} as unknown as Parameters<typeof endpointLogs>[0];

interface Page {
  readonly lines: readonly {
    readonly time: string;
    readonly worker: string;
    readonly source: string;
    readonly message: string;
  }[];
  readonly nextCursor: string;
}

const read = async (query: Partial<EndpointLogsRequest> = {}): Promise<Page> =>
  JSON.parse(await endpointLogs(ports, { endpoint: 'chat', ...query }));

const messagesOf = ({ lines }: Page) => lines.map(({ message }) => message);

describe('GET /endpoints/{endpoint}/logs', () => {
  it('returns the lines of all workers with their workers, also of one that never had a job', async () => {
    print(0, 'loads');
    print(1, 'crashes', SECOND);
    print(1, 'agent', FIRST, 'agent');
    now += 60_000;
    expect((await read()).lines).toEqual([
      { time: '2026-11-01T12:00:00.000Z', source: 'worker', worker: FIRST, message: 'loads' },
      { time: '2026-11-01T12:00:01.000Z', source: 'worker', worker: SECOND, message: 'crashes' },
    ]);
    expect(messagesOf(await read({ worker: SECOND }))).toEqual(['crashes']);
    expect(messagesOf(await read({ source: 'agent' }))).toEqual(['agent']);
  });

  it('begins 15 minutes ago, or at the time that the request names', async () => {
    print(-901, 'old');
    print(-890, 'recent');
    now += endpointLogLimits.settle;
    expect(messagesOf(await read())).toEqual(['recent']);
    expect(messagesOf(await read({ since: '2026-11-01T11:00Z' }))).toEqual(['old', 'recent']);
  });

  it('returns every line once, page by page, and those that follow later', async () => {
    for (const n of [0, 1, 1, 1, 2]) print(n, `${printed.length}`);
    now += 60_000;
    const found: string[] = [];
    let page = await read({ limit: '2' });
    while (page.lines.length > 0) {
      found.push(...messagesOf(page));
      page = await read({ limit: '2', cursor: page.nextCursor });
    }
    expect(found).toEqual(['0', '1', '2', '3', '4']);
    print(58, 'later');
    now += 10_000;
    expect(messagesOf(await read({ limit: '2', cursor: page.nextCursor }))).toEqual(['later']);
  });

  it('omits lines of the last seconds, which can still arrive in any order', async () => {
    print(10, 'printed later', SECOND);
    now += 13_000;
    const page = await read();
    expect(page.lines).toEqual([]);
    print(9, 'arrived later');
    now += 2_000;
    expect(messagesOf(await read({ cursor: page.nextCursor }))).toEqual(['arrived later', 'printed later']);
  });

  it('does not search again what it has read', async () => {
    print(0, 'one');
    now += 60_000;
    const { nextCursor } = await read();
    now += 1_000;
    await read({ cursor: nextCursor });
    expect(searches.map(({ from }) => from)).toEqual([START - 840_000, START + 55_001]);
    const again = await read({ cursor: nextCursor, limit: '1' });
    now -= 1_000;
    expect(await read({ cursor: again.nextCursor })).toEqual({ lines: [], nextCursor: again.nextCursor });
    expect(searches).toHaveLength(3);
  });

  it.each([
    [{ worker: 'w1' }, '`worker` must be the id of a worker, 32 characters of 0-9 and a-f, got "w1".'],
    [{ source: 'ingress' }, '`source` must be worker or agent, got "ingress".'],
    [{ since: 'yesterday' }, '`since` must be a date such as'],
    [{ limit: '1001' }, '`limit` must be a whole number from 1 to 1000, got 1001.'],
    [
      { cursor: 'x' },
      '`cursor` must be the unchanged `nextCursor` of another page of `worker lines of all workers of chat`',
    ],
  ])('refuses %j', async (query, message) => {
    const refused = read(query);
    await expect(refused).rejects.toThrow(InvalidRequest);
    await expect(refused).rejects.toThrow(message);
  });
});
