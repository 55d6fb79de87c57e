import { describe, it } from '@jest/globals';
import { expectSynthesisOf } from './many-endpoints.ts';

/** Twice the measured use. Work that grows with the square of the number of endpoints exceeds it. */
const MAX_USE = { cpuSeconds: 20, heapMb: 400 };

describe('two hundred endpoints', () => {
  it(
    'are synthesized in one process, within limits of work and memory',
    () => expectSynthesisOf(200, MAX_USE),
    120_000,
  );
});
