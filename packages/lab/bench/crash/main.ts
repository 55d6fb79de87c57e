/**
 * `npm run bench -w packages/lab -- crash`: measures how long a worker whose container crashes takes to be replaced.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { identify } from '../../../../test/acceptance/kill/processes.ts';
import { processIds, signal } from '../../../../test/runner/processes.ts';
import { type Service, startService } from '../../../../test/support/service.ts';
import { median, verdict } from '../bounds.ts';
import { type Client, createClient, until } from '../client.ts';
import { report } from '../command.ts';
import { HELP, readOptions } from './options.ts';

const ENDPOINT = 'echo';
/** Longest replacement, in milliseconds. */
const BOUND = 8_000;
/** Time limit of a replacement, far above the bound, so that a missed bound is reported with a figure. */
const LIMIT = 120_000;
/** Time for which a worker runs before its container is killed. */
const RUNS_FOR = 12_000;
/** Milliseconds between two looks at the job. */
const EVERY = 20;

/** The job record, as far as it is needed. */
interface Job {
  readonly status: string;
  readonly workerId?: string;
  readonly timeline?: readonly { readonly stage: string; readonly startedAt: string; readonly duration: number }[];
}

interface Replacement {
  /** Milliseconds from the crash until the job waits again, the new task is created, and the job runs again. */
  readonly requeued: number;
  readonly created: number;
  readonly running: number;
}

/** @returns the first record of the job that fulfills the condition */
async function whenJob(client: Client, id: string, what: string, holds: (job: Job) => boolean): Promise<Job> {
  const look = async () => {
    const job = (await client.status(id, '?timeline=true')) as unknown as Job;
    return holds(job) && job;
  };
  return until(what, look, LIMIT, EVERY);
}

/** Kills the processes of the user's container, and returns the time, in milliseconds since the epoch. */
function crash({ stateDir }: Service, worker: string): number {
  const processes = processIds().filter((pid) => {
    const found = identify(pid, stateDir);
    return found?.task === worker && found.role !== 'agent';
  });
  if (processes.length === 0) throw new Error(`The container of worker ${worker} does not run.`);
  for (const pid of processes) signal(pid, 'SIGKILL');
  return Date.now();
}

async function replace(service: Service, client: Client, id: string): Promise<Replacement> {
  const isRunning = ({ status }: Job) => status === 'IN_PROGRESS';
  const { workerId: before = '' } = await whenJob(client, id, 'the job runs', isRunning);
  await delay(RUNS_FOR);
  const crashedAt = crash(service, before);
  await whenJob(
    client,
    id,
    'the job waits again',
    ({ status, workerId }) => status === 'IN_QUEUE' || workerId !== before,
  );
  const requeued = Date.now() - crashedAt;
  const after = await whenJob(client, id, 'the job runs again', (job) => isRunning(job) && job.workerId !== before);
  const running = Date.now() - crashedAt;
  // The stage that follows `QUEUED` begins when the task of the new worker is created.
  const next = after.timeline?.find(({ stage }) => stage !== 'QUEUED');
  return { requeued, created: next ? Date.parse(next.startedAt) - crashedAt : 0, running };
}

const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`;

/** @returns whether the bound is met */
function print(all: readonly Replacement[]): boolean {
  const rows: [what: string, of: (its: Replacement) => number][] = [
    ['the job waits again', ({ requeued }) => requeued],
    ['the task of the new worker is created', ({ created }) => created],
    ['the new worker runs the job', ({ running }) => running],
  ];
  console.log(`${'seconds after the crash until'.padEnd(40)} ${'median'.padStart(8)} ${'longest'.padStart(8)}`);
  for (const [what, of] of rows) {
    const values = all.map(of);
    console.log(
      `${what.padEnd(40)} ${seconds(median(values)).padStart(8)} ${seconds(Math.max(...values)).padStart(8)}`,
    );
  }
  const isMet = all.every(({ running }) => running < BOUND);
  console.log(`longest replacement below ${seconds(BOUND)}: ${verdict(isMet)}`);
  return isMet;
}

export async function main(args: readonly string[]): Promise<void> {
  const { help, runs } = readOptions(args);
  if (help) return void console.log(HELP);
  report('Starting the service ...');
  const service = await startService();
  try {
    const client = createClient(service, ENDPOINT);
    const all: Replacement[] = [];
    for (let n = 1; n <= runs; n += 1) {
      const id = await client.run({ op: 'sleep', ms: 600_000 });
      all.push(await replace(service, client, id));
      report(`Crash ${n} of ${runs}: replaced after ${seconds(all.at(-1)?.running ?? 0)}`);
      await client.cancel(id);
    }
    if (!print(all)) process.exitCode = 1;
  } finally {
    await service.stop();
  }
}
