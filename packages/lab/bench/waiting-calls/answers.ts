/** Measures the time from the end of a job to the response of a waiting call. */
import type { Clients } from './clients.ts';

/**
 * Number of jobs, one after the other. All fit into the retention of `/runsync` results and into a page of
 * `/requests`.
 */
const JOBS = 40;
/**
 * Run times of the jobs in milliseconds. They vary, so that a job ends at any time between two reads of the
 * waiting call.
 */
const min = 200;
const max = 400;

interface Job {
  readonly id: string;
  readonly createdAt: string;
  readonly delayTime: number;
  readonly executionTime: number;
}

/** @returns milliseconds from the end of each job, as in its record, to the last byte of the response */
export async function timeAnswers({ ask }: Clients, endpoint: string): Promise<number[]> {
  const received = new Map<string, number>();
  for (let n = 0; n < JOBS; n += 1) {
    const input = { op: 'sleep', ms: Math.round(min + ((max - min) * n) / JOBS) };
    const { status, json } = await ask('POST', `${endpoint}/runsync`, JSON.stringify({ input }));
    if (status !== 200) throw new Error(`/runsync was answered with ${status}: ${JSON.stringify(json)}`);
    received.set(String(json.id), Date.now());
  }
  // The job record contains durations, and the list contains the time of acceptance.
  const { json } = await ask('GET', `${endpoint}/requests?limit=100`);
  const jobs = (json.requests as Job[]).filter(({ id }) => received.has(id));
  return jobs.map(({ id, createdAt, delayTime, executionTime }) => {
    const ended = Date.parse(createdAt) + delayTime + executionTime;
    return (received.get(id) ?? 0) - ended;
  });
}
