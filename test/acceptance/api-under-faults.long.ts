/**
 * Tests the job API with many jobs, with and without faults. Every seed must pass:
 * `FAULT_SEED=7 npm run test:long -- test/acceptance/api-under-faults`
 */
import { seedOf } from '../runner/seed.ts';
import { describeApiUnderFaults } from './api/under-faults.ts';

describeApiUnderFaults({ seed: seedOf('FAULT_SEED', 324), percent: 1, without: 60, withFaults: 160 });
