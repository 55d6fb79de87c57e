/**
 * The job API under faults, in few jobs; `api-under-faults.long.ts` has more, and jobs without faults. The default seed
 * hits workers early and not at the end, when nothing is left but to wait for a job that has lost its hint twice. Any other
 * must pass too: FAULT_SEED=7 npm test -- test/acceptance/api-under-faults.test.ts
 */
import { seedOf } from '../runner/seed.ts';
import { describeApiUnderFaults } from './api/under-faults.ts';

describeApiUnderFaults({ seed: seedOf('FAULT_SEED', 324), percent: 1, withFaults: 72 });
