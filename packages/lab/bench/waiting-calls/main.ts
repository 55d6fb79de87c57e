/**
 * `npm run bench -w packages/lab -- waits`: measures what thousands of waiting calls cost the ingress, and how they
 * affect other calls.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type Service, startService } from '../../../../test/support/service.ts';
import { median, percentile, withBound } from '../bounds.ts';
import { report } from '../command.ts';
import { timeAnswers } from './answers.ts';
import { type Answer, type Clients, createClients } from './clients.ts';
import { ingressOf, type Usage, usageOf } from './ingress-usage.ts';
import { HELP, type Options, readOptions } from './options.ts';

const SECOND = 1_000;
const HOUR = 3_600_000;
const ENDPOINTS = ['echo', 'echo-sdk', 'echo-http'] as const;
/** Number of calls of an operation that may wait at the same time for one endpoint, by the contract. */
const CONCURRENT = 400;
/** Maximum number of workers of each endpoint. */
const WORKERS = 3;
/** Number of clients that begin to wait each second. They arrive gradually, not as one burst. */
const PER_SECOND = 200;
/**
 * Number of `/run` requests, with and without waiting clients. They are sent one after the other, for most of a
 * minute.
 */
const RUNS = 200;
const EVERY = 200;
const PERCENTILE = 0.95;
const MAX_SLOWER = 2;
/**
 * Bound of the median time from the end of a job to the last byte of the response to a waiting client, in
 * milliseconds.
 */
const ANSWERED_WITHIN = 60;
/** Time limit for workers to start. */
const START_LIMIT = 120 * SECOND;

async function submit({ ask }: Clients, endpoint: string, body: object): Promise<string> {
  const { status, json } = await ask('POST', `${endpoint}/run`, JSON.stringify(body));
  if (status !== 200) throw new Error(`POST /${endpoint}/run was answered with ${status}: ${JSON.stringify(json)}`);
  return String(json.id);
}

/** Gives each worker of the endpoint a long job, so that all later jobs wait. */
async function occupy(clients: Clients, endpoint: string): Promise<void> {
  const policy = { executionTimeout: HOUR };
  const input = { op: 'sleep', ms: HOUR };
  for (let n = 0; n < WORKERS; n += 1) await submit(clients, endpoint, { input, policy });
  for (const deadline = Date.now() + START_LIMIT; ; await delay(SECOND)) {
    const { json } = await clients.ask('GET', `${endpoint}/health`);
    if ((json.jobs as { inProgress: number }).inProgress === WORKERS) return;
    if (Date.now() > deadline) throw new Error(`The workers of ${endpoint} were not busy within ${START_LIMIT} ms.`);
  }
}

/** Returns the duration of each request, in milliseconds. */
async function timeRuns(clients: Clients): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < RUNS; n += 1) {
    const begin = performance.now();
    await submit(clients, ENDPOINTS[0], { input: {} });
    const took = performance.now() - begin;
    times.push(took);
    await delay(Math.max(0, EVERY - took));
  }
  return times;
}

/**
 * Returns the requests of the waiting clients, distributed over endpoints and operations within the limits of the
 * contract.
 */
async function* waitingPaths(clients: Clients, { waits, seconds }: Options) {
  const wait = `wait=${seconds * SECOND}`;
  let begun = 0;
  for (const endpoint of ENDPOINTS) {
    const job = await submit(clients, endpoint, { input: {} });
    for (let n = 0; n < CONCURRENT; n += 1) {
      if (begun < waits) yield { method: 'POST', path: `${endpoint}/runsync?${wait}`, body: '{"input":{}}' } as const;
      begun += 1;
      if (begun < waits) yield { method: 'GET', path: `${endpoint}/status-sync/${job}?${wait}` } as const;
      begun += 1;
    }
  }
}

interface Figures {
  /** Milliseconds from the end of each job to the last byte of its response. */
  readonly answers: readonly number[];
  readonly before: Usage;
  readonly during: Usage;
  readonly after: Usage;
  /** Number of clients that did not get the record of their job, and the response to the first of them. */
  readonly refused: number;
  readonly first: string | undefined;
  readonly alone: readonly number[];
  readonly beside: readonly number[];
  /** Milliseconds. */
  readonly took: number;
}

/** Returns the refusal that a client got, or undefined if it got the record of its job. */
const outcomeOf = ({ status, json }: Answer): string | undefined =>
  status === 200 ? undefined : `${status} ${JSON.stringify(json)}`;
const failureOf = (error: Error): string => error.message;

async function measure(service: Service, clients: Clients, options: Options): Promise<Figures> {
  const ingress = ingressOf(service.pid);
  report('Jobs that end while their clients wait ...');
  // The first jobs start a worker, which loads its code.
  await timeAnswers(clients, ENDPOINTS[0]);
  const answers = await timeAnswers(clients, ENDPOINTS[0]);
  report('Keeping the workers busy ...');
  for (const endpoint of ENDPOINTS) await occupy(clients, endpoint);
  await timeRuns(clients);
  report(`${RUNS} requests of /run ...`);
  const alone = await timeRuns(clients);
  const before = usageOf(ingress);
  const begin = performance.now();
  const waiting: Promise<string | undefined>[] = [];
  for await (const { method, path, ...rest } of waitingPaths(clients, options)) {
    waiting.push(clients.ask(method, path, 'body' in rest ? rest.body : undefined).then(outcomeOf, failureOf));
    if (waiting.length % (PER_SECOND / 10) === 0) await delay(SECOND / 10);
  }
  report(`${waiting.length} clients wait; ${RUNS} requests of /run at the same time ...`);
  const beside = await timeRuns(clients);
  const during = usageOf(ingress);
  const refusals = (await Promise.all(waiting)).filter((refusal) => refusal !== undefined);
  const took = performance.now() - begin;
  const after = usageOf(ingress);
  return { answers, before, during, after, refused: refusals.length, first: refusals[0], alone, beside, took };
}

const inMilliseconds = (time: number) => `${time.toFixed(1)} ms`;

/** @returns whether all bounds are met */
function print({ waits, seconds }: Options, figures: Figures): boolean {
  const { answers, before, during, after, refused, first, alone, beside, took } = figures;
  if (first !== undefined) report(`The first client that was refused: ${first}`);
  const grown = Math.max(during.memory, after.memory) - before.memory;
  const processor = after.processor - before.processor;
  const [p95Alone, p95Beside] = [percentile(alone, PERCENTILE), percentile(beside, PERCENTILE)];
  const slower = p95Beside / p95Alone;
  const answered = median(answers);
  const rows = [
    [
      'end of job to end of response, median',
      withBound(inMilliseconds(answered), ANSWERED_WITHIN, answered <= ANSWERED_WITHIN),
    ],
    ['end of job to end of response, p95', inMilliseconds(percentile(answers, PERCENTILE))],
    ['waiting clients, duration of each wait', `${waits}, ${seconds} s`],
    ['refused or failed clients', withBound(String(refused), 0, refused === 0)],
    ['memory of the ingress before', `${before.memory.toFixed(0)} MB`],
    [
      'additional memory while clients wait',
      `${grown.toFixed(0)} MB, ${((grown * 1_024) / waits).toFixed(1)} KB a client`,
    ],
    [
      'processor time of the ingress',
      `${(processor / SECOND).toFixed(1)} s, ${((100 * processor) / took).toFixed(0)} % of a core`,
    ],
    [
      '/run without and with waiting clients, median',
      `${inMilliseconds(median(alone))}, ${inMilliseconds(median(beside))}`,
    ],
    ['/run without and with waiting clients, p95', `${inMilliseconds(p95Alone)}, ${inMilliseconds(p95Beside)}`],
    ['p95 with waiting clients / p95 without', withBound(slower.toFixed(2), MAX_SLOWER, slower <= MAX_SLOWER)],
  ];
  for (const [what = '', value] of rows) console.log(`${what.padEnd(46)} ${value}`);
  return refused === 0 && slower <= MAX_SLOWER && answered <= ANSWERED_WITHIN;
}

export async function main(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  if (options.help) return void console.log(HELP);
  report('Starting the service ...');
  const service = await startService();
  const clients = createClients(service);
  try {
    if (!print(options, await measure(service, clients, options))) process.exitCode = 1;
  } finally {
    clients.stop();
    await service.stop();
  }
}
