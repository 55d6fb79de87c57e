import type { Patch } from './copy.ts';

/** One small break of the product, and the tests that must notice it. */
export interface Mutant extends Patch {
  readonly name: string;
  /** The test file, and the names of its tests as a regular expression. */
  readonly test: string;
  readonly named: string;
}
