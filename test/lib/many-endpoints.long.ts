import { describe, it } from '@jest/globals';
import { expectSynthesisOf } from './many-endpoints.ts';

/** Twice what they take; work that grows with the square of the endpoints takes far more. */
const MOST = { cpuSeconds: 20, heapMb: 400 };

describe('two hundred endpoints', () => {
  it('are synthesized in one go, within a limit of work and memory', () => expectSynthesisOf(200, MOST), 120_000);
});
