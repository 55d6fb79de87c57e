/** `npm run bench -w packages/lab -- purge`: measures how a purge of a very long queue affects later jobs. */
import { setTimeout as delay } from 'node:timers/promises';
import { startService } from '../../../../test/support/service.ts';
import { verdict } from '../bounds.ts';
import { type Client, createClient, until } from '../client.ts';
import { report } from '../command.ts';
import { createBacklog } from './backlog.ts';
import { HELP, readOptions } from './options.ts';

const ENDPOINT = 'echo';
const HOUR = 3_600_000;
/** Time limit for the workers to start, and for the ledger to count a job. */
const START_LIMIT = 120_000;
const COUNT_LIMIT_PER_JOB = 20;
/**
 * Time limit for a job after the purge. It is far above the bound, so that a missed bound is reported with a
 * figure.
 */
const JOB_LIMIT = 600_000;
/** Number of jobs that run one after the other while messages of purged jobs are still being dropped. */
const LATER_JOBS = 5;

const bounds = { purge: 3_000, start: 5_000 };

const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(2)} s`;
const timed = async <Result>(work: Promise<Result>): Promise<[Result, number]> => {
  const begin = performance.now();
  return [await work, performance.now() - begin];
};

/** Reports progress at most every five seconds. */
function progress(text: (count: number) => string): (count: number) => void {
  let next = Date.now() + 5_000;
  return (count) => {
    if (Date.now() < next) return;
    next = Date.now() + 5_000;
    report(text(count));
  };
}

/** Gives each worker of the endpoint a long job. */
async function occupy(client: Client, workers: number): Promise<string[]> {
  const policy = { executionTimeout: 2 * HOUR };
  const ids = await Promise.all(Array.from({ length: workers }, () => client.run({ op: 'sleep', ms: HOUR }, policy)));
  for (const id of ids)
    await until('all workers are busy', async () => (await client.status(id)).status === 'IN_PROGRESS', START_LIMIT);
  return ids;
}

/** @returns how long the job waited, in milliseconds */
async function waitOf(client: Client, id: string): Promise<number> {
  await until('a job ends', async () => (await client.status(id)).status === 'COMPLETED', JOB_LIMIT);
  return Number((await client.status(id)).delayTime);
}

interface Figures {
  readonly queued: number;
  readonly removed: number;
  readonly purge: number;
  readonly health: number;
  readonly first: number;
  readonly later: number;
}

async function measure(client: Client, busy: readonly string[], queued: number): Promise<Figures> {
  const [removed, purge] = await timed(client.purge());
  const health = await client.waiting();
  const next = await client.run({});
  // The workers become free within a second or two, and then receive the messages of all purged jobs.
  await Promise.all(busy.map((id) => client.cancel(id)));
  const first = await waitOf(client, next);
  report(`The next job started after ${seconds(first)}; ${LATER_JOBS} more ...`);
  let later = 0;
  for (let n = 0; n < LATER_JOBS; n += 1) {
    await delay(1_000);
    later = Math.max(later, await waitOf(client, await client.run({})));
  }
  return { queued, removed, purge, health, first, later };
}

/** @returns whether all bounds are met */
function print(jobs: number, { queued, removed, purge, health, first, later }: Figures): boolean {
  const rows: [what: string, value: string, bound: string, isMet: boolean | undefined][] = [
    [`time to queue ${jobs} jobs`, seconds(queued), '', undefined],
    ['duration of `/purge-queue`', seconds(purge), `< ${seconds(bounds.purge)}`, purge < bounds.purge],
    ['`removed`', String(removed), `= ${jobs}`, removed === jobs],
    ['`inQueue` after the purge', String(health), '= 0', health === 0],
    ['wait of the next job', seconds(first), `< ${seconds(bounds.start)}`, first < bounds.start],
    [`longest wait of ${LATER_JOBS} later jobs`, seconds(later), `< ${seconds(bounds.start)}`, later < bounds.start],
  ];
  for (const [what, value, bound, isMet] of rows) {
    const outcome = isMet === undefined ? '' : verdict(isMet);
    console.log(`${what.padEnd(36)} ${value.padStart(10)}   ${bound.padEnd(10)} ${outcome}`.trimEnd());
  }
  return rows.every(([, , , isMet]) => isMet !== false);
}

export async function main(args: readonly string[]): Promise<void> {
  const { help, jobs } = readOptions(args);
  if (help) return void console.log(HELP);
  report('Starting the service ...');
  const service = await startService();
  try {
    const client = createClient(service, ENDPOINT);
    const backlog = await createBacklog(service, ENDPOINT);
    report(`Giving ${backlog.workers} workers a long job each ...`);
    const busy = await occupy(client, backlog.workers);
    const isQueued = progress((count) => `${count} of ${jobs} jobs queued`);
    const [, queued] = await timed(backlog.add(jobs, isQueued));
    const isCounted = progress((count) => `${count} of ${jobs} jobs counted`);
    await until(
      'all jobs are counted',
      async () => {
        const count = await client.waiting();
        isCounted(count);
        return count === jobs;
      },
      START_LIMIT + jobs * COUNT_LIMIT_PER_JOB,
    );
    if (!print(jobs, await measure(client, busy, queued))) process.exitCode = 1;
  } finally {
    await service.stop();
  }
}
