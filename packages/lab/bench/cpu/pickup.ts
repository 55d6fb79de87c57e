/** Measures how long a job waits for an idle worker, with jobs that arrive at random times. */
import { setTimeout as delay } from 'node:timers/promises';
import type { JobClients } from './clients.ts';

/** Milliseconds between two polls of a job, so that polls are a small part of the load. */
const POLL_PERIOD = 500;

/** Returns numbers from 0 to 1 that the seed determines (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Returns the arrival times of a Poisson process, in milliseconds.
 * @param rate arrivals per second
 */
export function arrivals(number: number, rate: number, random: () => number): number[] {
  let at = 0;
  return Array.from({ length: number }, () => {
    at += (-Math.log(1 - random()) / rate) * 1_000;
    return at;
  });
}

/** Submits a job at each time, whether or not earlier jobs have ended. Returns how long each job waited. */
export async function pickUps(clients: JobClients, times: readonly number[]): Promise<number[]> {
  const begin = performance.now();
  const jobs = times.map(async (at) => {
    await delay(Math.max(0, at - (performance.now() - begin)));
    return (await clients.job(POLL_PERIOD)).delayTime;
  });
  return Promise.all(jobs);
}
