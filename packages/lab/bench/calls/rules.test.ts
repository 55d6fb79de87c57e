/** Tests how `npm run bench -w packages/lab -- calls` classifies calls, detects growth, and calculates prices. */
import { describe, expect, it } from '@jest/globals';
import { dollarsOf } from '../../../../bin/job-calls/dollars.ts';
import { type Figures, type Line, noFigures, sumOf } from '../../../../bin/job-calls/figures.ts';
import type { Measurement } from '../../../../bin/job-calls/record.ts';
import { asOf, parsePrices, readPrices } from '../../../../lib/prices/prices.ts';
import { type Call, messagesReceived, messagesSent } from './call-log.ts';
import { kindOf, type Scope } from './classify.ts';
import { changedLines, growthOf, hasShrunk, vanished } from './compare.ts';
import { figuresOf, linesOf, over } from './lines.ts';
import { ledgerInvocations, medianOf } from './measure.ts';
import { readOptions } from './options.ts';

const JOB = '01m7z2tmvbqjw22mv93s11caq50nzargajke';
const OTHER = '01m7z2vmzjvw79q9qpg6jpzfscr1c2msayhb';

const roles = {
  authorizer: 'Platform-AuthorizerAuthorizeRoleDE378B49',
  run: 'Platform-JobsRunRoleB34FFDB1',
  ledger: 'Platform-LedgerRecordRole94CD6A74',
  sweeper: 'Platform-SweeperSweepRoleA9FDAFDA',
  worker: 'Endpoint-echo-WorkersTaskTaskRoleFDA52EC1',
};

const bytes = { time: '2026-11-21T12:00:00.000Z', requestBytes: 100, responseBytes: 100 };

const onTable = (who: keyof typeof roles, operation: string, table: string, sort?: string): Call => ({
  ...bytes,
  role: roles[who],
  service: 'dynamodb',
  operation,
  resources: [`arn:aws:dynamodb:us-east-1:000000000000:table/Storage-${table}Table10C8EDF6`],
  keys: [{ partition: 'echo#1', ...(sort !== undefined && { sort }) }],
});

const onQueue = (operation: string, call: Partial<Call> = {}): Call => ({
  ...bytes,
  role: roles.worker,
  service: 'sqs',
  operation,
  resources: ['arn:aws:sqs:us-east-1:000000000000:Endpoint-echo-HintsNormalEvenFCCC506A'],
  ...call,
});

const onBucket = (operation: string, job: string): Call => ({
  ...bytes,
  role: roles.run,
  service: 's3',
  operation,
  resources: [`arn:aws:s3:::storage-objectsbucket5a707942/1/echo/${job}/input`],
});

const scope: Scope = { jobs: new Set([JOB]), messages: new Set(['m1']), received: new Map([['r1', 'm1']]) };

describe('a call', () => {
  it.each<[string, Call]>([
    ['own', onTable('run', 'PutItem', 'Jobs', JOB)],
    ['own', onTable('run', 'PutItem', 'Payloads', `${JOB}#input`)],
    ['own', onTable('sweeper', 'GetItem', 'Jobs', JOB)],
    ['own', onBucket('PutObject', JOB)],
    ['own', onQueue('ReceiveMessage', { messages: 1, messageIds: ['m1'], receipts: ['r1'] })],
    ['own', onQueue('DeleteMessage', { messages: 1, receipts: ['r1'] })],
    ['other', onTable('worker', 'GetItem', 'Jobs', OTHER)],
    ['other', onBucket('GetObject', OTHER)],
    ['other', onQueue('DeleteMessage', { messages: 1, receipts: ['r2'] })],
    ['shared', onTable('run', 'Query', 'Endpoints')],
    ['shared', onTable('worker', 'Query', 'Endpoints')],
    ['shared', onTable('run', 'Query', 'Arrivals')],
    ['shared', onTable('run', 'Query', 'Workers')],
    ['shared', onTable('ledger', 'UpdateItem', 'Arrivals', '0#normal#day#0020410')],
    ['shared', onTable('worker', 'GetItem', 'Workers', 'w1')],
    ['shared', onTable('ledger', 'UpdateItem', 'Endpoints', 'counters#echo#1')],
    ['shared', onTable('ledger', 'PutItem', 'Deadlines', '029922536#1')],
    ['standing', onTable('authorizer', 'GetItem', 'Keys')],
    ['standing', onTable('authorizer', 'Query', 'Endpoints')],
    ['standing', onTable('worker', 'PutItem', 'Workers', 'w1')],
    ['standing', { ...onTable('worker', 'GetItem', 'Workers'), keys: [{ partition: 'starts#echo', sort: 'w1' }] }],
    ['standing', onTable('sweeper', 'Query', 'Jobs')],
    ['standing', onQueue('ReceiveMessage', { messages: 0 })],
  ])('is of the kind %s (%#)', (kind, call) => {
    expect(kindOf(call, scope)).toBe(kind);
  });

  it('causes an error if no rule matches it', () => {
    const sentence =
      'No rule of packages/lab/bench/calls/classify.ts matches Scan of endpoints by handler: add a rule.';
    expect(() => kindOf(onTable('run', 'Scan', 'Endpoints'), scope)).toThrow(sentence);
    const stranger = { ...onTable('run', 'Query', 'Endpoints'), role: 'Platform-ConsoleRole1' };
    expect(() => kindOf(stranger, scope)).toThrow('by unknown role Platform-ConsoleRole1');
  });

  it('is matched to its queue message by the receipt handle', () => {
    const calls = [
      onQueue('SendMessage', { messageIds: ['m1'] }),
      onQueue('ReceiveMessage', { messageIds: ['m1'], receipts: ['r1'] }),
      onQueue('DeleteMessage', { receipts: ['r1'] }),
    ];
    expect(messagesSent(calls)).toEqual(['m1']);
    expect([...messagesReceived(calls)]).toEqual([['r1', 'm1']]);
  });
});

describe('figures', () => {
  it('are summed by kind of call', () => {
    const read = { ...onTable('run', 'Query', 'Endpoints'), rru: 1 };
    const lines = linesOf([read, { ...onTable('worker', 'UpdateItem', 'Jobs', JOB), wru: 1 }, read], 'own');
    expect(lines).toMatchObject([
      { actor: 'handler', operation: 'Query', target: 'endpoints', calls: 2, rru: 2, wru: 0 },
      { actor: 'worker', operation: 'UpdateItem', target: 'jobs', calls: 1, rru: 0, wru: 1 },
    ]);
    expect(over(sumOf(lines), 3)).toMatchObject({ calls: 1, rru: 0.667, wru: 0.333 });
  });

  it('count an SQS request for each started 64 KB, and separate PUT and GET requests of S3', () => {
    expect(figuresOf(onQueue('ReceiveMessage', { responseBytes: 64 * 1024 + 1 }))).toMatchObject({ calls: 1, sqs: 2 });
    expect(figuresOf(onBucket('PutObject', JOB))).toMatchObject({ s3Put: 1, s3Get: 0 });
    expect(figuresOf(onBucket('GetObject', JOB))).toMatchObject({ s3Put: 0, s3Get: 1 });
  });

  it('count an invocation of the ledger when a counter is written again', () => {
    const write = (partition: number) => onTable('ledger', 'UpdateItem', 'Endpoints', `counters#echo#${partition}`);
    const deadline = onTable('ledger', 'PutItem', 'Deadlines', '029922536#1');
    expect(ledgerInvocations([])).toBe(0);
    expect(ledgerInvocations([deadline, write(1), write(2), deadline, write(2), write(1), write(1)])).toBe(3);
  });
});

const line = (calls: number): Line => {
  const named = { kind: 'own', actor: 'handler', operation: 'GetItem', target: 'jobs' } as const;
  return { ...noFigures, ...named, calls, rru: calls };
};

const measured = (own: Partial<Figures>, shared: Partial<Figures> = {}): Measurement => ({
  own: { ...noFigures, ...own },
  shared: { ...noFigures, ...shared },
  requests: 4,
  ledgerInvocations: 1,
  lines: [line(own.calls ?? 0)],
});

describe('growth', () => {
  const before = measured({ calls: 9, wru: 3, rru: 3, sqs: 3 }, { calls: 6, wru: 1, rru: 5 });
  const after = (own: Partial<Figures>, shared: Partial<Figures> = {}) =>
    measured({ ...before.own, ...own }, { ...before.shared, ...shared });

  it('is an increase of at least one call or 0.1 WRU, in own or shared calls', () => {
    expect(growthOf({ name: 'run' }, before, after({ calls: 10 }))).toEqual([
      'run has grown: 9 calls before, 10 now (own calls).',
    ]);
    expect(growthOf({ name: 'run' }, before, after({ wru: 3.1 }))).toEqual([
      'run has grown: 3 WRU before, 3.1 now (own calls).',
    ]);
    expect(growthOf({ name: 'run' }, before, after({}, { calls: 7, rru: 6 }))).toEqual([
      'run has grown: 6 calls before, 7 now (shared calls).',
      'run has grown: 5 RRU before, 6 now (shared calls).',
    ]);
    expect(growthOf({ name: 'run' }, before, after({ s3Put: 1 }))).toHaveLength(1);
  });

  it('is neither a smaller increase nor a decrease', () => {
    expect(growthOf({ name: 'run' }, before, before)).toEqual([]);
    expect(growthOf({ name: 'run' }, before, after({ calls: 9.99, wru: 3.09 }, { wru: 1.09, rru: 5.4 }))).toEqual([]);
    expect(growthOf({ name: 'run' }, before, after({ calls: 8, wru: 2 }))).toEqual([]);
    expect(hasShrunk({ name: 'run' }, before, after({ calls: 8 }))).toBe(true);
    expect(hasShrunk({ name: 'run', ownSlack: { calls: 1 } }, before, after({ calls: 8 }))).toBe(false);
    expect(hasShrunk({ name: 'run' }, before, before)).toBe(false);
  });

  it('excludes an increase of shared figures within `slack`, but includes any increase of own figures', () => {
    const runsync = { name: 'runsync', slack: { calls: 1 } };
    expect(growthOf(runsync, before, after({}, { calls: 7 }))).toEqual([]);
    expect(growthOf(runsync, before, after({}, { calls: 8 }))).toHaveLength(1);
    expect(growthOf(runsync, before, after({ calls: 10 }))).toHaveLength(1);
  });

  it('excludes the writes of an additional invocation of the ledger', () => {
    const twice = (shared: Partial<Figures>) => ({ ...after({}, shared), ledgerInvocations: 2 });
    const once = { ...before, ledgerInvocations: 1 };
    const { calls, wru } = before.shared;
    expect(growthOf({ name: 'run' }, once, twice({ calls: calls + 2, wru: wru + 2 }))).toEqual([]);
    expect(growthOf({ name: 'run' }, once, twice({ calls: calls + 3 }))).toHaveLength(1);
    expect(growthOf({ name: 'run' }, once, { ...twice({ calls: calls + 2 }), ledgerInvocations: 1 })).toHaveLength(1);
  });

  it('cannot be determined for a scenario that is not recorded or no longer exists', () => {
    expect(growthOf({ name: 'retry' }, undefined, before)).toEqual([
      'retry is not recorded: run `npm run bench -w packages/lab -- calls --record`.',
    ]);
    expect(vanished(['run', 'gone'], ['run'])).toEqual([
      expect.stringContaining('gone is recorded, but is not a scenario'),
    ]);
  });

  it('is reported with the calls whose number has changed', () => {
    expect(changedLines(before, before)).toEqual([]);
    expect(changedLines(before, after({ calls: 10 }))).toEqual(['  own: GetItem of jobs by handler: 9 before, 10 now']);
  });

  it('is determined from the median of the measurements', () => {
    expect(medianOf([measured({ calls: 12 }), measured({ calls: 9 }), measured({ calls: 10 })]).own.calls).toBe(10);
  });
});

describe('prices', () => {
  const prices = readPrices();

  it('turn figures into dollars per million', () => {
    const own = { ...noFigures, wru: 3, rru: 3, sqs: 3 };
    const dollars = dollarsOf(prices, { own, shared: noFigures, requests: 4, ledgerInvocations: 0 }, 512);
    expect(dollars.apiGateway).toBeCloseTo(14);
    expect(dollars.dataPlane).toBeCloseTo(1.875 + 0.375 + 1.2);
    expect(dollars.lambda).toBeCloseTo(8 * 0.2 + 4 * 0.017 * 0.5 * 13.3334);
    expect(dollars.total).toBeCloseTo(dollars.apiGateway + dollars.lambda + dollars.dataPlane);
  });

  it('include the time for which a call is held', () => {
    const work = { own: noFigures, shared: noFigures, requests: 1, ledgerInvocations: 0 };
    const [short, long] = [0, 1_000].map((held) => dollarsOf(prices, { ...work, held }, 1_024).lambda);
    expect((long ?? 0) - (short ?? 0)).toBeCloseTo(13.3334);
  });

  it('cause an error that names their file if they are missing or invalid', () => {
    expect(() => parsePrices('here-1', 'perMillion: {}\n')).toThrow(/^lib\/prices\/here-1\.yaml: perMillion\./);
    expect(() => parsePrices('here-1', '')).toThrow('here-1.yaml: the file: ');
    expect(() => parsePrices('here-1', 'date: soon\n')).toThrow(/^lib\/prices\/here-1\.yaml: /);
  });

  it('cause an error for a Region without prices', () => {
    expect(readPrices('us-east-1').region).toBe('us-east-1');
    expect(() => readPrices('mars-1')).toThrow('There are no prices for mars-1; there are prices for us-east-1');
  });

  it('have the date of the oldest price', () => {
    const row = { price: 1, source: 'here' };
    expect(asOf({ a: { ...row, date: '2026-08-21' }, b: { ...row, date: '2026-06-17' } })).toBe('2026-06-17');
  });
});

describe('the options', () => {
  it('select the mode, the assembly and the scenarios', () => {
    expect(readOptions([])).toEqual({ mode: 'print' });
    expect(readOptions(['--check', '--assembly', 'cdk.out'])).toEqual({ mode: 'check', assembly: 'cdk.out' });
    expect(readOptions(['--check', '--only', 'first,run'])).toEqual({ mode: 'check', only: ['first', 'run'] });
    expect(readOptions(['--record'])).toEqual({ mode: 'record' });
    expect(readOptions(['--record', '--only', 'run'])).toEqual({ mode: 'record', only: ['run'] });
    expect(readOptions(['--record', '--help'])).toEqual({ mode: 'help' });
  });

  it('refuse unknown flags and scenarios', () => {
    const sentence = "Unknown option '--fast'; npm run bench -w packages/lab -- calls --help lists the options.";
    expect(() => readOptions(['--fast'])).toThrow(sentence);
    expect(() => readOptions(['run'])).toThrow('lists the options');
    expect(() => readOptions(['--check', '--record'])).toThrow('--check and --record exclude each other');
    expect(() => readOptions(['--check', '--only', 'run,fast'])).toThrow(
      "There is no scenario 'fast'; the scenarios are first, run, ",
    );
  });
});
