/** The result of a check. */

export type Level = 'ok' | 'warning' | 'problem';

export interface Finding {
  /** Name of the check. */
  readonly check: string;
  /**
   * `problem`: a deployment would fail. `warning`: a deployment or a later action may fail, or the check could
   * not run.
   */
  readonly level: Level;
  /** The current state, as a sentence. */
  readonly found: string;
  /** The required state, as a sentence. */
  readonly needed?: string;
  /** A command or an address that solves the problem. */
  readonly fix?: string;
}
