/** The load: a number of clients, each of which submits a job, polls it to its end, and submits the next job. */
import { setTimeout as delay } from 'node:timers/promises';
import { median, percentile } from '../bounds.ts';
import type { Running } from './peer.ts';
import { type Memory, memoryOf, processorSeconds } from './processes.ts';

export const CLIENTS = 8;
/** Pauses before the first polls of a job, and before each further poll, in milliseconds. */
const PAUSES: readonly number[] = [5, 10, 20, 40, 80];
const LAST_PAUSE = 100;
const WARM_UP = { jobs: 30, ms: 100 } as const;
/** Time limit for one job, including the start of the workers. */
const JOB_LIMIT = 60_000;
/** Pause before a refused or failed request is sent again. */
const RETRY = 100;

/** The clock of the clients. A test has its own, whose times do not depend on the speed of the machine. */
export interface ClientClock {
  /** Milliseconds since any moment. */
  now(): number;
  pause(milliseconds: number): Promise<void>;
}

const realClock: ClientClock = { now: () => performance.now(), pause: (milliseconds) => delay(milliseconds) };

/** Runs `work` for each number below `count`, with `CLIENTS` clients. */
export async function withClients(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  async function client(): Promise<void> {
    while (next < count) {
      next += 1;
      await work(next - 1);
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

/** Sends a request until it succeeds. Limits of the peer are part of its figures. */
async function persist<Result>(send: () => Promise<Result>, clock: ClientClock): Promise<Result> {
  for (const deadline = clock.now() + JOB_LIMIT; ; await clock.pause(RETRY)) {
    try {
      return await send();
    } catch (error) {
      if (clock.now() > deadline) throw error;
    }
  }
}

/** @returns milliseconds from the submission until the client knows the end */
async function runJob(peer: Running, ms: number, clock: ClientClock): Promise<number> {
  const begin = clock.now();
  const id = await persist(() => peer.submit(ms), clock);
  for (let poll = 0; !peer.isSync; poll += 1) {
    await clock.pause(PAUSES[poll] ?? LAST_PAUSE);
    const outcome = await persist(() => peer.outcome(id), clock);
    if (outcome === 'done') break;
    if (outcome !== 'waiting') throw new Error(`Job ${id} is ${outcome}.`);
    if (clock.now() - begin > JOB_LIMIT) throw new Error(`Job ${id} has not ended in ${JOB_LIMIT} ms.`);
  }
  return clock.now() - begin;
}

export interface Figures {
  readonly jobsPerSecond: number;
  /** Processor time of all processes of the peer, in seconds. */
  readonly secondsPer1000: number;
  readonly memory: Memory;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Runs jobs until all workers have run some. */
export const warmUp = (peer: Running, clock = realClock): Promise<void> =>
  withClients(WARM_UP.jobs, async () => void (await runJob(peer, WARM_UP.ms, clock)));

export async function measure(peer: Running, jobs: number, clock = realClock): Promise<Figures> {
  await warmUp(peer, clock);
  const times: number[] = [];
  const before = processorSeconds(peer.pids());
  const begin = clock.now();
  await withClients(jobs, async () => void times.push(await runJob(peer, 0, clock)));
  const seconds = (clock.now() - begin) / 1_000;
  return {
    jobsPerSecond: jobs / seconds,
    secondsPer1000: ((processorSeconds(peer.pids()) - before) / jobs) * 1_000,
    memory: memoryOf(peer.pids()),
    p50: median(times),
    p99: percentile(times, 0.99),
  };
}
