/**
 * Tests the job API with many jobs, with and without faults. Any other seed must pass too:
 * FAULT_SEED=7 npm run test:long -- test/acceptance/api-under-faults
 */
import { seedOf } from '../runner/seed.ts';
import { describeApiUnderFaults } from './api/under-faults.ts';

describeApiUnderFaults({ seed: seedOf('FAULT_SEED', 324), percent: 1, without: 60, withFaults: 160 });
