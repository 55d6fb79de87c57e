/**
 * A few random sequences. The seed is one whose few sequences take every row of the table: if a change of the product
 * makes them miss a row, choose another.
 */
import { seedOf } from '../runner/seed.ts';
import { testRandomSequences } from './model/suite.ts';

testRandomSequences({ seed: seedOf('PROOF_SEED', 9), withoutFaults: 24, withFaults: 16 });
