/** Runs hundreds of random sequences. */
import { seedOf } from '../../../test/runner/seed.ts';
import { testRandomSequences } from './model/suite.ts';

testRandomSequences({ seed: seedOf('PROOF_SEED', 3), withoutFaults: 180, withFaults: 90 });
