/** Measures how long after the end of its job a waiting call is answered. */
import type { Clients } from './clients.ts';

/**
 * Jobs, one after the other: below the time for which results of `/runsync` are kept, and what a page of `/requests`
 * has.
 */
const JOBS = 40;
/** Milliseconds that each runs, so that its end falls anywhere between two looks. */
const least = 200;
const most = 400;

interface Job {
  readonly id: string;
  readonly createdAt: string;
  readonly delayTime: number;
  readonly executionTime: number;
}

/** @returns milliseconds from the end of each job, by its record, to the last byte of the answer */
export async function timeAnswers({ ask }: Clients, endpoint: string): Promise<number[]> {
  const received = new Map<string, number>();
  for (let n = 0; n < JOBS; n += 1) {
    const input = { op: 'sleep', ms: Math.round(least + ((most - least) * n) / JOBS) };
    const { status, json } = await ask('POST', `${endpoint}/runsync`, JSON.stringify({ input }));
    if (status !== 200) throw new Error(`/runsync was answered with ${status}: ${JSON.stringify(json)}`);
    received.set(String(json.id), Date.now());
  }
  // The job record has spans; the list has the time of acceptance.
  const { json } = await ask('GET', `${endpoint}/requests?limit=100`);
  const jobs = (json.requests as Job[]).filter(({ id }) => received.has(id));
  return jobs.map(({ id, createdAt, delayTime, executionTime }) => {
    const ended = Date.parse(createdAt) + delayTime + executionTime;
    return (received.get(id) ?? 0) - ended;
  });
}
