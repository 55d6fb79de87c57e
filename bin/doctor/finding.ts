/** The result of a check. */

export type Level = 'ok' | 'warning' | 'problem';

export interface Finding {
  /** Name of the check. */
  readonly check: string;
  /**
   * `problem`: a deployment would fail. `warning`: it may fail, something may fail later, or the check was not
   * possible.
   */
  readonly level: Level;
  /** The situation, as a sentence. */
  readonly found: string;
  /** The need, as a sentence. */
  readonly needed?: string;
  /** A command or an address that mends it. */
  readonly fix?: string;
}
