/** The short form of `many-endpoints.long.ts`. */
import { describe, it } from '@jest/globals';
import { expectSynthesisOf } from './many-endpoints.ts';

/** Some three times what they take; an endpoint that takes the work of the platform exceeds it. */
const MOST = { cpuSeconds: 10, heapMb: 250 };

describe('forty endpoints', () => {
  it('are synthesized in one go, within a limit of work and memory', () => expectSynthesisOf(40, MOST), 120_000);
});
