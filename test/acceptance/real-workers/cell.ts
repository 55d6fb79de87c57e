/** A row of the table in docs/reference/real-workers.md, with the check that proves it. */
import type { Place } from '../workers/place.ts';

export interface Behaviour {
  /** Title of the test. It completes "it …". */
  readonly name: string;
  /** "yes", or the actual behaviour. */
  readonly result: string;
  readonly check: (place: Place) => Promise<void>;
}

export interface Cell extends Behaviour {
  readonly worker: string;
  readonly version: string;
  readonly endpoint: string;
}

/** Returns the cells of one endpoint, which run one after the other in this order. */
export const cellsOf = (
  worker: Pick<Cell, 'worker' | 'version' | 'endpoint'>,
  behaviours: readonly Behaviour[],
): Cell[] => behaviours.map((behaviour) => ({ ...worker, ...behaviour }));
