/** Optimistic writes: read, write on the condition that nothing has changed, and start again if something has. */
import { setTimeout as delay } from 'node:timers/promises';

/** How often a write is tried before it fails, by what is written. */
export const conflictTries = {
  /** A job changes its status a few times in its life, and each change can come first once. */
  job: 5,
  /** Two purges of an endpoint rarely meet, three hardly ever. */
  generation: 5,
  /** Of two scalers of an endpoint, one sees the other's number and starts again. */
  scale: 5,
  /** The item of an endpoint is written by sweeper, ledger, releases and events of ECS. */
  endpoint: 10,
  /** An official or carried template is also written by another deployment, or by the last endpoint that leaves it. */
  declaredTemplate: 5,
  /** Clients may change a template as often as they like, and every conflict is a change that was made. */
  template: 20,
} as const;

/** Another writer came first every time. */
export class WriteConflict extends Error {}

/** Another writer came first. */
export const CONFLICT: unique symbol = Symbol('conflict');

/** Milliseconds before the second repetition at most, which double with each further one, and the most of all. */
const pauses = { first: 20, longest: 500 } as const;

/**
 * Repeats a write while other writers come first. The first repetition follows at once, because most conflicts are of two
 * writers; later ones after a random pause, so that many writers do not meet again.
 * @param subject what is written, for the message of the error
 * @param attempt reads, then writes; it returns `CONFLICT` if another writer came first
 * @throws WriteConflict
 */
export async function retryOnConflict<Result>(
  subject: string,
  tries: number,
  attempt: () => Promise<Result | typeof CONFLICT>,
): Promise<Result> {
  for (let repetition = 0; repetition < tries; repetition += 1) {
    if (repetition > 1) await delay(Math.random() * Math.min(pauses.longest, pauses.first * 2 ** (repetition - 2)));
    const result = await attempt();
    if (result !== CONFLICT) return result;
  }
  throw new WriteConflict(`Another writer changed ${subject} first, ${tries} times.`);
}
