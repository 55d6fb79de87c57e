import { describe, expect, it } from '@jest/globals';
import { familyOf } from '../processes.ts';
import { isMet, loadRows, medianRows, middleOf, partsTable, pickUpRows, startRows, tableOf } from './figures.ts';
import type { Load } from './load.ts';
import { readOptions } from './options.ts';
import { partOf, productWork, timesByPart } from './parts.ts';
import { arrivals, randomFrom } from './pickup.ts';
import { millisecondsIn, type Thread, threadsOf, usesBetween } from './threads.ts';

const START = '/usr/bin/node bin/start/main.mjs';
const AGENT = '/usr/bin/node worker/main.ts';
const thread = (name: string, milliseconds: number, more: Partial<Thread> = {}): Thread => ({
  pid: 1,
  tid: 2,
  parent: 0,
  command: START,
  name,
  milliseconds,
  ...more,
});

describe('the options of npm run bench -w packages/lab -- cpu', () => {
  it('are three loads of 2,000 jobs, 8 clients and all parts by default', () => {
    expect(readOptions([])).toEqual({
      help: false,
      jobs: 2_000,
      loads: 3,
      clients: 8,
      only: ['load', 'runsync', 'pickup', 'start'],
      rate: undefined,
      seed: undefined,
      starts: 3,
      against: undefined,
      rounds: 5,
      profile: false,
      out: undefined,
      record: false,
    });
  });

  it('choose several parts with commas', () => {
    expect(readOptions(['--only', 'load,start']).only).toEqual(['load', 'start']);
  });

  it.each([
    [['--jobs', '0'], '--jobs must be a whole number from 1 to 100000, got 0.'],
    [['--against', '../before', '--profile'], '--against prints ratios of the load and of /runsync, so it excludes'],
    [['--loads', '100'], '--loads must be a whole number from 1 to 99, got 100.'],
    [['--clients', '201'], '--clients must be a whole number from 1 to 200, got 201.'],
    [['--rate', 'x'], '--rate must be a whole number from 1 to 1000, got x.'],
    [['--seed', '1.5'], '--seed must be a whole number from 1 to 9999999, got 1.5.'],
    [['--starts', '21'], '--starts must be a whole number from 1 to 20, got 21.'],
    [
      ['--only', 'load,pick'],
      '--only must be one of load, runsync, pickup, start, or several of them with commas, got pick.',
    ],
    [['--only', 'start', '--profile'], '--profile repeats the load, so --only must include load.'],
    [['--out', '/tmp/x'], '--out keeps the files of --profile, so it needs --profile.'],
    [['--only', 'load', '--record'], '--record writes all figures, so it excludes --only.'],
  ])('refuse %j', (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });
});

describe('the reader of /proc', () => {
  it.each([
    ['103340037 260098780 63\n', 103.340037],
    ['0 0 0', 0],
    ['', undefined],
    ['x y z', undefined],
  ])('reads %j as %p ms', (text, milliseconds) => {
    expect(millisecondsIn(text)).toBe(milliseconds);
  });

  it('finds children of children, in any order of ids', () => {
    const parents = new Map([
      [2, 5],
      [3, 1],
      [4, 2],
      [5, 1],
      [6, 9],
    ]);
    expect(familyOf([1], parents).toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4, 5]);
  });

  it('reads the threads of this process with their processor time', () => {
    const threads = threadsOf(process.pid).filter(({ pid }) => pid === process.pid);
    expect(threads.find(({ tid }) => tid === process.pid)?.milliseconds).toBeGreaterThan(0);
    expect(threads.length).toBeGreaterThan(1);
  });

  it('subtracts two readings, and counts threads that started or ended between them', () => {
    const before = [thread('a', 10, { tid: 2 }), thread('b', 5, { tid: 3 }), thread('d', 5, { tid: 5 })];
    const after = [thread('a', 25, { tid: 2 }), thread('c', 7, { tid: 4 })];
    const { threads, ended } = usesBetween(before, after);
    expect(threads.map(({ tid, milliseconds }) => [tid, milliseconds])).toEqual([
      [2, 15],
      [4, 7],
    ]);
    expect(ended).toBe(2);
  });

  it('keeps threads of two processes with the same thread id apart', () => {
    const { threads } = usesBetween([thread('a', 10)], [thread('a', 12, { pid: 9 })]);
    expect(threads[0]?.milliseconds).toBe(12);
  });
});

describe('the part of a thread', () => {
  it.each([
    [thread('MainThread', 1, { tid: 1 }), 'npm start, main thread'],
    [thread('Authorize', 1), 'authorizer'],
    [thread('JobsRun', 1), '/run'],
    [thread('JobsStatus', 1), '/status'],
    [thread('LedgerRecord', 1), 'ledger'],
    [thread('SweeperSweep', 1), 'function SweeperSweep'],
    [thread('V8Worker', 1), 'npm start: collector and compiler'],
    [thread('InspectorIo', 1), 'npm start: collector and compiler'],
    [thread('libuv-worker', 1), 'npm start: collector and compiler'],
    [thread('MainThread', 1, { tid: 1, command: AGENT }), 'agent'],
    [thread('DelayedTaskSche', 1, { command: AGENT }), 'agent: collector and compiler'],
    [thread('MainThread', 1, { tid: 1, command: 'node examples/echo/main.ts' }), 'container'],
    [thread('MainThread', 1, { tid: 1, command: 'node ingress/main.ts --host 127.0.0.1' }), 'ingress'],
    [thread('tokio-runtime-w', 1, { command: '/p/dynoxide serve --port 1' }), 'emulator of DynamoDB (dynoxide)'],
    [thread('MainThread', 1, { tid: 1, command: 'node /p/emulators-process.ts' }), 'emulator of SQS and S3 (fauxqs)'],
    [thread('esbuild', 1, { tid: 1, command: 'esbuild --service' }), 'other processes'],
  ])('of %j is "%s"', (of, part) => {
    expect(partOf(of)).toBe(part);
  });

  it('has the sum of its threads, and the part with the most time comes first', () => {
    const threads = [thread('V8Worker', 1), thread('V8Worker', 2, { tid: 4 }), thread('JobsRun', 5)];
    expect([...timesByPart(threads)]).toEqual([
      ['/run', 5],
      ['npm start: collector and compiler', 3],
    ]);
  });
});

const times = new Map([
  ['authorizer', 600],
  ['/run', 200],
  ['/status', 1_000],
  ['ledger', 50],
  ['agent', 300],
  ['agent: collector and compiler', 100],
]);

describe("the product's work", () => {
  it('contains four calls of the authorizer and three polls, however many a job had', () => {
    const work = productWork(times, { jobs: 100, runs: 100, polls: 500 });
    expect(work).toEqual({ requests: 4 + 2 + 6, agent: 4, ledger: 0.5 });
  });

  it('counts refused requests as requests of the authorizer', () => {
    expect(productWork(times, { jobs: 100, runs: 700, polls: 500 }).requests).toBe(2 + 2 + 6);
  });
});

const load: Load = {
  counts: { jobs: 100, runs: 110, polls: 500, refused: 10 },
  seconds: 2,
  times: [
    { run: 10, total: 40, delayTime: 1 },
    { run: 30, total: 60, delayTime: 1 },
    { run: 20, total: 50, delayTime: 1 },
  ],
  uses: { threads: [thread('JobsRun', 200), thread('Authorize', 400)], ended: 0 },
  agents: 3,
};

describe('the rows of the figures', () => {
  it('show the rate, the time of a job and the latencies of the load', () => {
    const value = new Map(loadRows(load).map((row) => [row.what, row.value]));
    expect(Object.fromEntries(value)).toEqual({
      'jobs per second': 50,
      'processor time of a job': 6,
      '/run, p50': 20,
      '/run, p99': 30,
      'submission to end, p50': 50,
      'submission to end, p99': 60,
      'polls of a job': 5,
      'requests refused with 429': 10,
      workers: 3,
    });
  });

  it('warn about threads whose time is not counted', () => {
    const rows = loadRows({ ...load, uses: { ...load.uses, ended: 2 } });
    expect(rows.at(-1)).toEqual({ what: 'threads that ended and are not counted', value: 2, unit: '' });
  });

  it('are the medians of several loads, each by itself', () => {
    const row = (what: string, value: number) => ({ what, value, unit: 'ms' as const, bound: 3 });
    const all = [
      [row('agent', 5), row('ledger', 1)],
      [row('agent', 2), row('ledger', 3)],
      [row('agent', 4), row('ledger', 2)],
    ];
    expect(medianRows(all)).toEqual([row('agent', 4), row('ledger', 2)]);
    expect(medianRows([])).toEqual([]);
  });

  it('show the parts of the load whose time for a job is the median', () => {
    const lasting = (milliseconds: number): Load => ({
      ...load,
      uses: { threads: [thread('JobsRun', milliseconds)], ended: 0 },
    });
    const [slow, fast, middle] = [lasting(900), lasting(100), lasting(500)];
    expect(middleOf([slow, fast, middle])).toBe(middle);
    expect(middleOf([])).toBeUndefined();
  });

  it.each([
    ['a pick-up of 10 ms', pickUpRows([10], 60)[0], true],
    ['a pick-up of 11 ms', pickUpRows([11], 60)[0], false],
    ['a longest pick-up of 51 ms', pickUpRows([1, 51], 60)[1], false],
    ['a first start in 5 s', startRows({ first: [9_000, 5_000, 1_000], second: [] })[0], true],
    ['a second start in 1.1 s', startRows({ first: [], second: [1_100] })[1], false],
  ])('decide whether the bound is met: %s', (_, row, met) => {
    expect(row && isMet(row)).toBe(met);
  });
});

describe('the tables', () => {
  it('show the measured value beside its bound', () => {
    expect(tableOf('start', startRows({ first: [4_321], second: [1_500] }))).toBe(
      [
        '| start                         | measured | bound |        |',
        '| ----------------------------- | -------: | ----: | -----: |',
        '| npm start ready, first start  |   4.32 s | ≤ 5 s |    met |',
        '| npm start ready, second start |   1.50 s | ≤ 1 s | MISSED |',
      ].join('\n'),
    );
  });

  it('show numbers without a unit as they are, and averages with one digit', () => {
    const text = tableOf('load', [
      { what: 'workers', value: 3, unit: '' },
      { what: 'polls of a job', value: 3.25, unit: '' },
    ]);
    expect(text).toMatch(/workers +\| +3 \|/);
    expect(text).toMatch(/polls of a job +\| +3\.3 \|/);
  });

  it('show the time of each part per job, its share, and the sum', () => {
    const text = partsTable(
      'part',
      new Map([
        ['ledger', 50],
        ['/run', 150],
      ]),
      100,
    );
    expect(text.split('\n').slice(2)).toEqual([
      '| /run   |       1.50 |  75.0 % |',
      '| ledger |       0.50 |  25.0 % |',
      '| all    |       2.00 | 100.0 % |',
    ]);
  });
});

describe('the arrivals of the pick-up', () => {
  it('are the same for the same seed, and others for another seed', () => {
    const of = (seed: number) => arrivals(5, 60, randomFrom(seed));
    expect(of(1)).toEqual(of(1));
    expect(of(1)).not.toEqual(of(2));
  });

  it('have the rate on average, in ascending order', () => {
    const times = arrivals(2_000, 60, randomFrom(7));
    expect(times.toSorted((one, other) => one - other)).toEqual(times);
    expect(2_000 / ((times.at(-1) ?? 0) / 1_000)).toBeGreaterThan(54);
    expect(2_000 / ((times.at(-1) ?? 0) / 1_000)).toBeLessThan(66);
  });
});
