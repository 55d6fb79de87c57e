/** Declares the test that compares the history, the series and the costs of random traffic with the logs of its clients and machines. */
import { expect, it } from '@jest/globals';
import { listEvents } from '../../core/history/list-events.ts';
import { listJobs } from '../../core/history/list-jobs.ts';
import { DAY, HOUR, MINUTE } from '../../core/limits.ts';
import { costs } from '../../core/usage/costs.ts';
import { series } from '../../core/usage/series.ts';
import { PROPERTY_SEED, seedOf } from '../runner/seed.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { type Releases, releaser } from './random-releases.ts';
import { type MachineTime, runTraffic, type Traffic, type TrafficOptions } from './random-time.ts';

const emulated = useEmulatedDeployment();
const { ports, clock } = emulated;

const prices = { 'rt-a': 1.212, 'rt-b': 4.6 } as const;
const endpoints = Object.keys(prices) as (keyof typeof prices)[];

/** Sums the times of the log whose names match. */
const timeOf = (log: MachineTime | undefined, matches: RegExp) =>
  [...(log ?? [])].reduce((sum, [name, time]) => (matches.test(name) ? sum + time : sum), 0);

interface StoredEnd {
  readonly id: string;
  readonly code?: string;
  readonly endedAt: string;
  readonly worker?: string;
  readonly revision?: number;
}

async function endsInHistory(): Promise<readonly StoredEnd[]> {
  const jobs = [];
  let cursor: string | undefined;
  do {
    const page = JSON.parse(await listJobs(ports, { permitted: ['*'], limit: '500', cursor }));
    jobs.push(...page.jobs);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return jobs;
}

const countsOf = (codes: readonly string[]) =>
  Object.fromEntries([...Map.groupBy(codes, (code) => code)].map(([code, all]) => [code, all.length]));

/**
 * Declares the test. The traffic passes midnight.
 * @param before milliseconds before midnight at which the traffic begins
 */
export function compareTraffic(
  options: Pick<TrafficOptions, 'minutes' | 'pause'>,
  before: number,
  limit: number,
): void {
  const seed = seedOf(PROPERTY_SEED);

  it(
    `is in the history to the job, and in series and costs to the cent (seed ${seed})`,
    () => compare({ ...options, endpoints, seed }, before),
    limit,
  );
}

/** Compares the rows of workers with what the machines know. */
async function compareWorkers(stopped: Traffic['stopped']): Promise<void> {
  const range = { after: '0', before: '9', isOldestFirst: true, max: 100_000 };
  const parts = await Promise.all(endpoints.map((endpoint) => ports.workerHistory.read({ ...range, endpoint })));
  const stored = parts.flatMap(({ rows }) => rows);
  const texts = (all: Traffic['stopped']) =>
    all.map(({ worker, revision, at, code }) => [worker, revision, at, code].join(' ')).sort();
  expect(
    texts(stored.map(({ worker, revision = 0, endedAt: at, stopCode: code }) => ({ worker, revision, at, code }))),
  ).toEqual(texts(stopped));
}

/** Compares the events of releases, and who caused them, with the log of the releases. */
async function compareReleases({ log, history }: Releases, since: string): Promise<void> {
  for (const endpoint of endpoints) {
    const { events } = await listEvents({ ...ports, history }, { endpoint, since, kind: 'RELEASE', limit: '500' });
    const its = log.filter((released) => released.endpoint === endpoint);
    const noted = its.map(({ revision, to, at }) =>
      [revision, to, at, to === 'IN_PROGRESS' ? releaser.name : ''].join(' '),
    );
    const listed = events.map(({ revision, to, at, by }) => [revision, to, Date.parse(at), by?.name].join(' '));
    expect(listed).toHaveLength(noted.length);
    expect(new Set(listed)).toEqual(new Set(noted));
  }
}

async function compare(options: TrafficOptions, before: number): Promise<void> {
  for (const id of endpoints)
    await emulated.deploy(id, { workerPrice: { hour: prices[id], date: '2026-08-21', region: 'us-east-1' } });
  const midnight = clock.now() - (clock.now() % DAY) + DAY;
  clock.advance(midnight - before - clock.now());
  const since = new Date(clock.now()).toISOString();
  const { ended, machineTime, requeued, ready, stopped, releases, endedAfterNotice } = await runTraffic(
    emulated,
    options,
  );
  expect(ended.length).toBeGreaterThan(50);

  const stored = await endsInHistory();
  const texts = (all: readonly (Omit<StoredEnd, 'endedAt'> & { readonly at: number })[]) =>
    all.map(({ id, code, at, worker, revision }) => [id, code, at, worker, revision].join(' ')).sort();
  expect(
    texts(stored.map(({ code = 'COMPLETED', endedAt, ...end }) => ({ ...end, code, at: Date.parse(endedAt) }))),
  ).toEqual(texts(ended));
  await compareWorkers(stopped);
  await compareReleases(releases, since);
  // The traffic has what it is for, whatever the seed is.
  if (options.minutes > 1_000) {
    expect(new Set(stopped.map(({ code }) => code)).size).toBe(4);
    expect(new Set(releases.log.map(({ to }) => to))).toEqual(new Set(['IN_PROGRESS', 'COMPLETED', 'ROLLED_BACK']));
    expect(endedAfterNotice).toBeGreaterThan(0);
  }

  const all = await Promise.all(endpoints.map((endpoint) => series(ports, { endpoint, since, step: 'minute' })));
  for (const [n, endpoint] of endpoints.entries()) {
    const log = machineTime.get(endpoint);
    const { total, points } = all[n] ?? {};
    const its = ended.filter((end) => end.endpoint === endpoint);
    expect(total?.ended).toEqual(countsOf(its.map(({ code }) => code)));
    expect(total?.workerTime.busy).toBeCloseTo(timeOf(log, /busy/), 3);
    expect(total?.workerTime.idle).toBeCloseTo(timeOf(log, /idle/), 3);
    expect(total?.workerTime.starting).toBeCloseTo(timeOf(log, /starting/), 3);
    for (const { from, ended: inMinute } of points ?? []) {
      const begin = Date.parse(from);
      const codes = its.filter(({ at }) => at >= begin && at < begin + MINUTE).map(({ code }) => code);
      expect({ from, ended: inMinute }).toEqual({ from, ended: countsOf(codes) });
    }
  }
  const sum = (name: 'requeued' | 'ready') => all.reduce((total, one) => total + one.total[name], 0);
  expect({ requeued: sum('requeued'), ready: sum('ready') }).toEqual({ requeued, ready });

  const byKey = await costs(ports, { permitted: ['*'], since, by: 'endpoint,day,key' });
  for (const { endpoint, day, key, dollars, jobs } of byKey.costs) {
    const price = prices[endpoint as keyof typeof prices] / HOUR;
    const log = machineTime.get(endpoint ?? '');
    const name = key === undefined ? `^${day} (?:idle|starting)` : `^${day} busy ${key}$`;
    expect({ endpoint, day, key, dollars: dollars.total }).toEqual({
      endpoint,
      day,
      key,
      dollars: expect.closeTo(timeOf(log, new RegExp(name)) * price, 5),
    });
    const its = ended.filter(
      ({ endpoint: of, payer, at }) =>
        of === endpoint && payer === key && new Date(at).toISOString().startsWith(day ?? ''),
    );
    expect({ key, jobs }).toEqual({ key, jobs: its.length });
  }
  const machines = endpoints.reduce((total, id) => total + (timeOf(machineTime.get(id), /./) * prices[id]) / HOUR, 0);
  expect(byKey.total.dollars.total).toBeCloseTo(machines, 5);
  const byEndpoint = await costs(ports, { permitted: ['*'], since });
  expect(byEndpoint.total).toEqual(byKey.total);
}
