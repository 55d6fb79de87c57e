/** How many workers an endpoint has and what they do, as a sentence. */
import type { Health } from '../api/management-types.ts';

type Workers = Health['workers'];

/** In the order in which they are listed; `ready` is the sum of the first two. */
const states = [
  ['running', 'running'],
  ['idle', 'idle'],
  ['initializing', 'starting'],
  ['throttled', 'held back'],
  ['unhealthy', 'unhealthy'],
] as const satisfies readonly (readonly [keyof Workers, string])[];

export interface WorkerState {
  readonly state: (typeof states)[number][0];
  readonly count: number;
  /** Such as `2 starting`. */
  readonly text: string;
}

/** The states that at least one worker is in. */
export const workerStates = (workers: Workers): WorkerState[] =>
  states.flatMap(([state, word]) =>
    workers[state] > 0 ? [{ state, count: workers[state], text: `${workers[state]} ${word}` }] : [],
  );

/** Such as `3 of 8`: those that are ready, of those that the endpoint may have. */
export const workerShare = (workers: Workers, maxWorkers: number): string => `${workers.ready} of ${maxWorkers}`;
