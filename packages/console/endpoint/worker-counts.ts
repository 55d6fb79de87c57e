/** Describes how many workers an endpoint has, and in which states. */
import type { Health } from '../api/management-types.ts';

type Workers = Health['workers'];

/** Worker states in display order; `ready` is the sum of the first two. */
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

/** Returns the states that have at least one worker. */
export const workerStates = (workers: Workers): WorkerState[] =>
  states.flatMap(([state, word]) =>
    workers[state] > 0 ? [{ state, count: workers[state], text: `${workers[state]} ${word}` }] : [],
  );

/** Returns the share of ready workers in the allowed maximum, such as `3 of 8`. */
export const workerShare = (workers: Workers, maxWorkers: number): string => `${workers.ready} of ${maxWorkers}`;
