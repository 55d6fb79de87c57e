/** Sends many concurrent requests to exceed the limit of an operation. */
import { expect } from 'expect';
import type { Answer } from './client.ts';
import type { Interface } from './described.ts';
import type { Suite } from './suite.ts';

export interface Limit {
  readonly bucket: number;
  /** Tokens that are refilled per second. */
  readonly rate: number;
  readonly method?: string;
  readonly name?: Interface;
}

/** Requests in flight. More requests would wait for each other. */
const WAVE = 50;
/**
 * Maximum number of requests, in multiples of the bucket. A slow machine sends requests hardly faster than tokens
 * are refilled.
 */
const MAX_BUCKETS = 20;

export const refused = (answers: readonly Answer[]): Answer[] => answers.filter(({ status }) => status === 429);

export const codesOf = (answers: readonly Answer[]): unknown[] => [...new Set(answers.map(({ json }) => json.code))];

export function createBursts({ askAt, target }: Suite) {
  const at = (path: string) => `/${target.endpoint}/${path}`;
  const burst = (count: number, method: string, path: string, name: Interface = 'jobs') =>
    Promise.all(Array.from({ length: count }, () => askAt(name, method, path)));

  /**
   * Sends requests until some are refused. At most the bucket, plus the tokens that are refilled meanwhile, may be
   * admitted.
   */
  async function drain(path: string, { bucket, rate, method = 'POST', name = 'jobs' }: Limit): Promise<Answer[]> {
    const begin = performance.now();
    const answers: Answer[] = [];
    const max = MAX_BUCKETS * bucket;
    while (refused(answers).length === 0 && answers.length < max)
      answers.push(...(await burst(Math.min(WAVE, bucket + 1), method, path, name)));
    const back = Math.ceil(((performance.now() - begin) / 1_000) * rate);
    expect(answers.length - refused(answers).length).toBeLessThanOrEqual(bucket + back);
    expect(codesOf(refused(answers))).toEqual(['TOO_MANY_REQUESTS']);
    return answers;
  }

  return { at, burst, drain };
}
