/** A shorter version of `many-endpoints.long.ts`. */
import { describe, it } from '@jest/globals';
import { expectSynthesisOf } from './many-endpoints.ts';

/** About three times the measured use. It is exceeded if each endpoint causes as much work as the platform. */
const MAX_USE = { cpuSeconds: 10, heapMb: 250 };

describe('forty endpoints', () => {
  it('are synthesized in one process, within limits of work and memory', () => expectSynthesisOf(40, MAX_USE), 120_000);
});
