/** Sends jobs and reads their status over kept-alive connections. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Service } from '../../../../test/support/service.ts';
import { type Answer, createClients } from '../waiting-calls/clients.ts';

export const ENDPOINT = 'echo';
/** Milliseconds from a response of `/status` to the next poll. */
const POLL_PERIOD = 20;
/** Milliseconds until a refused request is repeated. */
const PAUSE = 50;
const BODY = JSON.stringify({ input: {} });

export interface JobTimes {
  /** Milliseconds of the successful `/run`. */
  readonly run: number;
  /** Milliseconds from the submission to the response that contains the final status. */
  readonly total: number;
  /** Milliseconds that the job waited for a worker, from its record. */
  readonly delayTime: number;
}

export interface JobClients {
  /** Requests of `/run` and `/status` so far, and how many of them were refused with 429. */
  readonly counts: { runs: number; polls: number; refused: number };
  /**
   * Submits a job and polls it until it has ended.
   * @throws Error if the job does not complete
   */
  job(period?: number): Promise<JobTimes>;
  /** Returns the milliseconds of one `/runsync`. */
  runsync(): Promise<number>;
  stop(): void;
}

export function createJobClients(service: Service): JobClients {
  const { ask, stop } = createClients(service);
  const counts = { runs: 0, polls: 0, refused: 0 };

  /** Repeats a refused request. Returns its final response and the duration of the last request. */
  async function send(kind: 'runs' | 'polls' | undefined, ...request: Parameters<typeof ask>) {
    for (;;) {
      if (kind) counts[kind] += 1;
      const begin = performance.now();
      const answer: Answer = await ask(...request);
      if (answer.status === 200) return { json: answer.json, took: performance.now() - begin };
      if (answer.status !== 429)
        throw new Error(
          `${request[0]} /${request[1]} was answered with ${answer.status}: ${JSON.stringify(answer.json)}`,
        );
      counts.refused += 1;
      await delay(PAUSE);
    }
  }

  return {
    counts,
    async job(period = POLL_PERIOD) {
      const begin = performance.now();
      const { json, took: run } = await send('runs', 'POST', `${ENDPOINT}/run`, BODY);
      for (;;) {
        await delay(period);
        const { json: record } = await send('polls', 'GET', `${ENDPOINT}/status/${json.id}`);
        if (record.status === 'IN_QUEUE' || record.status === 'IN_PROGRESS') continue;
        if (record.status !== 'COMPLETED') throw new Error(`Job ${json.id} ended with ${JSON.stringify(record)}.`);
        return { run, total: performance.now() - begin, delayTime: Number(record.delayTime) };
      }
    },
    async runsync() {
      const { json, took } = await send(undefined, 'POST', `${ENDPOINT}/runsync`, BODY);
      if (json.status !== 'COMPLETED') throw new Error(`/runsync returned ${JSON.stringify(json)}.`);
      return took;
    },
    stop,
  };
}

/** Runs jobs from several clients at the same time. Each client submits its next job after the end of the last. */
export async function runJobs(clients: JobClients, jobs: number, concurrent: number): Promise<JobTimes[]> {
  const times: JobTimes[] = [];
  let begun = 0;
  async function client() {
    while (begun < jobs) {
      begun += 1;
      times.push(await clients.job());
    }
  }
  await Promise.all(Array.from({ length: concurrent }, client));
  return times;
}
