/** A client of the job interface. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Service } from '../../../test/support/service.ts';

export interface Client {
  run(input: object, policy?: object): Promise<string>;
  /**
   * Requests the status of a job and returns the job record.
   * @param query such as `?timeline=true`; by default, none
   */
  status(id: string, query?: string): Promise<Readonly<Record<string, unknown>>>;
  cancel(id: string): Promise<void>;
  purge(): Promise<number>;
  /** Returns the number of waiting jobs from `/health`. */
  waiting(): Promise<number>;
}

export function createClient({ jobApiUrl, apiKey }: Pick<Service, 'jobApiUrl' | 'apiKey'>, endpoint: string): Client {
  async function request(method: string, path: string, body?: string) {
    const headers = { Authorization: `Bearer ${apiKey}` };
    const response = await fetch(`${jobApiUrl}/${endpoint}/${path}`, { method, headers, body: body ?? null });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`);
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  }
  return {
    run: async (input, policy = {}) => String((await request('POST', 'run', JSON.stringify({ input, policy }))).id),
    status: (id, query = '') => request('GET', `status/${id}${query}`),
    async cancel(id) {
      await request('POST', `cancel/${id}`);
    },
    purge: async () => Number((await request('POST', 'purge-queue')).removed),
    waiting: async () => ((await request('GET', 'health')).jobs as { readonly inQueue: number }).inQueue,
  };
}

/**
 * Looks again until the result is not false.
 * @param limit time limit, in milliseconds
 * @param every milliseconds between two looks
 */
export async function until<Found>(
  what: string,
  look: () => Promise<Found | false>,
  limit: number,
  every = 100,
): Promise<Found> {
  for (const deadline = Date.now() + limit; ; await delay(every)) {
    const found = await look();
    if (found !== false) return found;
    if (Date.now() > deadline) throw new Error(`This condition was not met within ${limit / 1_000} s: ${what}.`);
  }
}
