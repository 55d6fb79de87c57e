/** One small break of the product, and the tests that must notice it. */
export interface Mutant {
  readonly name: string;
  /** The file that is broken, and the text in it, which occurs once, and what takes its place. */
  readonly file: string;
  readonly replace: string;
  readonly by: string;
  /** The test file, and the names of its tests as a regular expression. */
  readonly test: string;
  readonly named: string;
}
