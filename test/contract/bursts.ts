/** Many requests at once, against the limit of an operation. */
import { expect } from '@jest/globals';
import type { Answer } from './client.ts';
import type { Interface } from './described.ts';
import type { Suite } from './suite.ts';

export interface Limit {
  readonly bucket: number;
  /** Tokens that come back in a second. */
  readonly rate: number;
  readonly method?: string;
}

export const refused = (answers: readonly Answer[]): Answer[] => answers.filter(({ status }) => status === 429);

export const codesOf = (answers: readonly Answer[]): unknown[] => [...new Set(answers.map(({ json }) => json.code))];

export function createBursts({ askAt, target }: Suite) {
  const at = (path: string) => `/${target().endpoint}/${path}`;
  const burst = (count: number, method: string, path: string, name: Interface = 'jobs') =>
    Promise.all(Array.from({ length: count }, () => askAt(name, method, path)));

  /** As fast as they go: some are refused, and what passes is at most the bucket and what came back meanwhile. */
  async function drain(count: number, path: string, { bucket, rate, method = 'POST' }: Limit): Promise<Answer[]> {
    const begin = performance.now();
    const answers = await burst(count, method, at(path));
    const back = Math.ceil(((performance.now() - begin) / 1_000) * rate);
    expect(answers.length - refused(answers).length).toBeLessThanOrEqual(bucket + back);
    expect(refused(answers).length).toBeGreaterThan(0);
    return answers;
  }

  return { at, burst, drain };
}
