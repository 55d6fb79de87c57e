/** Runs jobs from several clients and measures the processor time of each thread of the service meanwhile. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Service } from '../../../../test/support/service.ts';
import { report } from '../command.ts';
import { createJobClients, type JobClients, type JobTimes, runJobs } from './clients.ts';
import type { Counts } from './parts.ts';
import { threadsOf, type Uses, usesBetween } from './threads.ts';

/** Jobs that are not measured: functions and workers start, and V8 compiles their code. */
const WARM_UP = 100;
/** Milliseconds until rate limits have refilled, and the ledger has counted the warm-up. */
const PAUSE = 10_000;

export interface Load {
  readonly counts: Counts & { readonly refused: number };
  readonly seconds: number;
  readonly times: readonly JobTimes[];
  readonly uses: Uses;
  /** Number of agents that the service runs. */
  readonly agents: number;
}

export async function warmUp(clients: JobClients, concurrent: number): Promise<void> {
  report(`${WARM_UP} jobs to warm up ...`);
  await runJobs(clients, WARM_UP, concurrent);
  await delay(PAUSE);
}

export async function measureLoad(service: Service, jobs: number, concurrent: number): Promise<Load> {
  const clients = createJobClients(service);
  report(`${jobs} jobs of ${concurrent} clients ...`);
  try {
    const before = threadsOf(service.pid);
    const begin = performance.now();
    const times = await runJobs(clients, jobs, concurrent);
    const seconds = (performance.now() - begin) / 1_000;
    const after = threadsOf(service.pid);
    const agents = new Set(after.filter(({ command }) => command.includes('worker/main.ts')).map(({ pid }) => pid));
    const { runs, polls, refused } = clients.counts;
    return {
      counts: { jobs, runs, polls, refused },
      seconds,
      times,
      uses: usesBetween(before, after),
      agents: agents.size,
    };
  } finally {
    clients.stop();
  }
}
