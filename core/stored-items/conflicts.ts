/**
 * Optimistic writes: read an item, write it on the condition that it has not changed, and repeat both if it has.
 */
import { type Clock, systemClock } from '../clock.ts';

/** Maximum number of attempts of a write, by the kind of item. */
export const conflictTries = {
  /** A job changes its status only a few times, and each change can cause one conflict. */
  job: 5,
  /** Two concurrent purges of an endpoint are rare, three are very rare. */
  generation: 5,
  /** If two scalers set an endpoint's workers, one of them reads the other's number and repeats its write. */
  scale: 5,
  /** The sweeper, the ledger, releases and ECS events write the item of an endpoint. */
  endpoint: 10,
  /** The sweeper and the ledger write up to when an endpoint is summed. */
  sums: 5,
  /** Events of one worker can arrive at the same time, and its agent writes once. */
  start: 10,
  /**
   * A concurrent stack update, or the dissociation of the last endpoint, can also write a template that a file
   * declares.
   */
  declaredTemplate: 5,
  /** Clients can change a template at any rate, and each conflict means that one change succeeded. */
  template: 20,
} as const;

/** Every attempt of the write conflicted with another writer. */
export class WriteConflict extends Error {
  override readonly name = 'WriteConflict';
}

/** Result of an attempt that conflicted with another writer. */
export const CONFLICT: unique symbol = Symbol('conflict');

/**
 * Maximum pause before the second repetition in ms, and the limit to which this maximum doubles with each further
 * repetition.
 */
const pauses = { first: 20, max: 500 } as const;

/**
 * Repeats a write until it does not conflict with another writer. The first repetition is immediate, because most
 * conflicts are between two writers. Later repetitions follow after a random pause, so that many writers do not
 * conflict again.
 * @param subject names the item in the error message
 * @param attempt reads and writes the item; it returns `CONFLICT` if another writer has changed the item in
 * between
 * @param clock pauses between the attempts
 * @throws WriteConflict
 */
export async function retryOnConflict<Result>(
  subject: string,
  tries: number,
  attempt: () => Promise<Result | typeof CONFLICT>,
  clock: Pick<Clock, 'pause'> = systemClock,
): Promise<Result> {
  for (let repetition = 0; repetition < tries; repetition += 1) {
    if (repetition > 1) await clock.pause(Math.random() * Math.min(pauses.max, pauses.first * 2 ** (repetition - 2)));
    const result = await attempt();
    if (result !== CONFLICT) return result;
  }
  throw new WriteConflict(`Cannot write ${subject}: another writer changed it during each of ${tries} attempts.`);
}
