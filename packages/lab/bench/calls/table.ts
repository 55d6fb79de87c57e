/** Renders the measurements as tables for docs/reference/calls.md. */

import { dataPlane, dollarsOf } from '../../../../bin/job-calls/dollars.ts';
import type { Figures } from '../../../../bin/job-calls/figures.ts';
import { type Recorded, type Row, rowsOf } from '../../../../bin/job-calls/record.ts';
import { type Cell, table } from '../../../../bin/pages/aligned-table.ts';
import { placeOf } from '../../../../bin/pages/document-section.ts';
import { asOf, type Prices } from '../../../../lib/prices/prices.ts';
import type { BenchRecord } from './bench-record.ts';
import type { Pending } from './scenarios.ts';

/** The section of docs/reference/calls.md with the tables. */
export const callsPlace = placeOf('reference/calls.md', 'calls', 'npm run bench -w packages/lab -- calls --record');

const MINUTES_PER_HOUR = 60;
const HOURS_PER_MONTH = 730;
const MILLION = 1_000_000;

/**
 * Maximum cost of a `/run` job with 3 polls, a webhook and payloads of up to 500 bytes. `dollars` is per million
 * jobs. The row of the history adds a call and a write unit, $0.63, to the bounds of a job without it.
 */
const BOUNDS = { calls: 13, wru: 6.2, rru: 5, sqs: 3.3, dollars: 25.63 } as const;
const BOUNDED = ['run', 'run-100', 'webhook', 'webhook-100'];
/** Maximum number of calls of a job, without polls, if many jobs wait for a worker with \`concurrency: 30\`. */
const CONCURRENT = { name: 'concurrency-30', calls: 6 } as const;

/** Scenarios whose calls the document lists. `--only` prints those of any scenario. */
const ITEMIZED = ['first', 'run', 'webhook', 'large', 'runsync', 'stream'];

const number = (value: number) => String(Math.round(value * 100) / 100);
const dollars = (value: number) => value.toFixed(2);
const ofDynamodb = ({ calls, wru, rru }: Figures) => [calls, wru, rru].map(number);

function scenarioTable(recorded: Recorded, prices: Prices, rows: readonly Row[], pending: readonly Pending[]): string {
  const head = ['scenario', 'requests', 'calls', 'WRU', 'RRU', 'SQS', 'S3', '+ calls', '+ WRU', '+ RRU'];
  const money = ['API Gateway', 'Lambda', 'data plane', 'total'].map((name) => `$/M ${name}`);
  const measured = rows.map((row): Cell[] => {
    const { name, title, own, shared } = row;
    const { apiGateway, lambda, dataPlane: data, total } = dollarsOf(prices, row, recorded.memory);
    return [
      `\`${name}\``,
      title,
      ...ofDynamodb(own),
      number(own.sqs),
      number(own.s3Put + own.s3Get),
      ...ofDynamodb(shared),
      ...[apiGateway, lambda, data, total].map(dollars),
    ];
  });
  const waiting = pending.map(({ name, title }) => [
    `\`${name}\``,
    `${title}: **not measured**, because its route returns 404 in this version`,
    ...Array.from({ length: head.length + money.length - 2 }, () => '-'),
  ]);
  return table([...head, ...money], 2, [...measured, ...waiting]);
}

function boundsTable(recorded: Recorded, prices: Prices, rows: readonly Row[]): string {
  const bounded = rows.filter(({ name }) => BOUNDED.includes(name));
  const value = (row: Row, name: keyof typeof BOUNDS) =>
    name === 'dollars' ? dollarsOf(prices, row, recorded.memory).total : row.own[name] + row.shared[name];
  const verdict = (row: Row, name: keyof typeof BOUNDS) =>
    `${number(value(row, name))} ${value(row, name) <= BOUNDS[name] ? 'met' : '**missed**'}`;
  const titles = {
    calls: 'calls',
    wru: 'WRU',
    rru: 'RRU',
    sqs: 'SQS requests',
    dollars: '$ per million jobs',
  } as const;
  const names = Object.keys(titles) as (keyof typeof BOUNDS)[];
  return table(
    ['own and shared calls', 'bound', ...bounded.map(({ name }) => `\`${name}\``)],
    1,
    names.map((name) => [titles[name], BOUNDS[name], ...bounded.map((row) => verdict(row, name))]),
  );
}

function concurrentTable(rows: readonly Row[]): string {
  const row = rows.find(({ name }) => name === CONCURRENT.name);
  const calls = row && row.own.calls + row.shared.calls;
  const measured = calls === undefined ? '-' : `${number(calls)} ${calls <= CONCURRENT.calls ? 'met' : '**missed**'}`;
  return table(['own and shared calls', 'bound', `\`${CONCURRENT.name}\``], 1, [['calls', CONCURRENT.calls, measured]]);
}

const waitsTable = ({ waits }: BenchRecord): string =>
  table(
    ['waiting calls', 'status of the job', 'GetItem', 'BatchGetItem', 'Query', 'RRU', 'RRU per call'],
    2,
    waits.map(({ calls, status, getItem, batchGetItem, query, rru }) => [
      calls,
      `\`${status}\``,
      ...[getItem, batchGetItem, query, rru, rru / calls].map(number),
    ]),
  );

const streamsTable = ({ streams }: BenchRecord): string =>
  table(
    ['chunks/s', 'PutItem/s', 'WRU/s', 'WRU/s with one item per chunk', 'Query/s', 'BatchGetItem/s', 'RRU/s'],
    0,
    streams.map(({ chunks, putItem, wru, wruOfItems, query, batchGetItem, rru }) =>
      [chunks, putItem, wru, wruOfItems, query, batchGetItem, rru].map(number),
    ),
  );

const callsTable = (rows: readonly Row[]): string =>
  table(
    ['scenario', 'kind', 'caller', 'operation', 'resource', 'calls', 'WRU', 'RRU', 'SQS', 'S3'],
    5,
    rows.flatMap(({ name, lines }) =>
      lines.map((line) => [
        `\`${name}\``,
        ...[line.kind, line.actor, line.operation, line.target],
        ...[line.calls, line.wru, line.rru, line.sqs, line.s3Put + line.s3Get].map(number),
      ]),
    ),
  );

const standingTable = ({ standing }: Recorded, prices: Prices): string =>
  table(
    ['caller', 'operation', 'resource', 'calls/h', 'WRU/h', 'RRU/h', 'SQS/h', '$/month'],
    3,
    standing.map((line) => [
      ...[line.actor, line.operation, line.target],
      ...[line.calls, line.wru, line.rru, line.sqs].map((perMinute) => number(perMinute * MINUTES_PER_HOUR)),
      ((dataPlane(prices, line) * MINUTES_PER_HOUR * HOURS_PER_MONTH) / MILLION).toFixed(3),
    ]),
  );

/** @returns Markdown */
export function render(recorded: Recorded, bench: BenchRecord, prices: Prices, pending: readonly Pending[]): string {
  const rows = rowsOf(recorded);
  const { authorizer, handler, ledger } = prices.assumedMs;
  return [
    `Measured on ${recorded.date}, with the prices of ${prices.region} as of ${asOf(prices.perMillion)}. ` +
      'The figures of this table are per job.',
    'The columns with a plus sign count shared calls; `calls` to `S3` count own calls. The prices include both. The',
    `cost of Lambda assumes that the authorizer takes ${authorizer} ms, a handler ${handler} ms ` +
      `and the ledger ${ledger} ms, with ${recorded.memory} MB of`,
    'memory. A call that waits for its job also costs the time of the wait.',
    '',
    scenarioTable(recorded, prices, rows, pending),
    '',
    '## Bounds',
    '',
    boundsTable(recorded, prices, rows),
    '',
    concurrentTable(rows),
    '',
    '## Reads of calls that wait',
    '',
    'In each measurement, all calls run in one process and wait 60 s for the same job.',
    '',
    waitsTable(bench),
    '',
    '## Writes of a stream, and reads of a call that follows it',
    '',
    'Each chunk has 250 bytes. The worker stores all chunks of one write in a single item. The column "WRU/s with one',
    'item per chunk" shows the cost of a separate item for each chunk.',
    '',
    streamsTable(bench),
    '',
    '## Calls of an idle service',
    '',
    standingTable(recorded, prices),
    '',
    '## The calls of some scenarios',
    '',
    callsTable(rows.filter(({ name }) => ITEMIZED.includes(name))),
  ].join('\n');
}

/**
 * Renders the tables of some scenarios.
 * @returns Markdown
 */
export function renderSome(recorded: Recorded, prices: Prices, names: readonly string[]): string {
  const rows = rowsOf(recorded).filter(({ name }) => names.includes(name));
  return [
    scenarioTable(recorded, prices, rows, []),
    ...(names.includes(CONCURRENT.name) ? [concurrentTable(rows)] : []),
    callsTable(rows),
  ].join('\n\n');
}
