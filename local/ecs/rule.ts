/** A row of the table of ECS's rules: see `rules.ts`. */
export interface Rule {
  readonly rule: string;
  readonly value?: unknown;
  readonly source: string;
  /** File in `test/local`, and the title of the test in it. */
  readonly test: readonly [file: string, title: string];
}
