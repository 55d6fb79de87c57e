import type { Patch } from './copy.ts';

/** A small change that breaks the product, and the tests that must detect it. */
export interface Mutant extends Patch {
  readonly name: string;
  /** The test file, and the names of its tests as a regular expression. */
  readonly test: string;
  readonly named: string;
}

const killedBy = (name: string, patch: Patch) => ({
  killedBy: (test: string, named: string): Mutant => ({ name, ...patch, test, named }),
});

/** Describes a mutant: `mutant(NAME).replace(FILE, TEXT, BY).killedBy(TEST, NAMES)`. */
export const mutant = (name: string) => ({
  replace: (file: string, replace: string, by: string) => killedBy(name, { file, replace, by }),
  remove: (file: string, replace: string) => killedBy(name, { file, replace, by: '' }),
});
