/** A row of the table of the rules of ECS: see `rules.ts`. */
export interface Rule {
  readonly rule: string;
  readonly value?: unknown;
  readonly source: string;
  /** File in `packages/emulator/test/ecs`, and the title of the test in the file. */
  readonly test: readonly [file: string, title: string];
}
