/** What a check says. */

export type Level = 'ok' | 'warning' | 'problem';

export interface Finding {
  /** What was looked at. */
  readonly check: string;
  /** `problem`: a deployment would fail. `warning`: it may, or something will later, or it could not be looked at. */
  readonly level: Level;
  /** A sentence. */
  readonly found: string;
  /** What should be there instead, as a sentence. */
  readonly needed?: string;
  /** A command or an address. */
  readonly fix?: string;
}
