/** What was asked of the product in one sequence, and what it said. */
import type { Caller } from '../calls/context.ts';
import type { Operation } from './operations.ts';

export type Outcome =
  /** It said so. */
  | { readonly is: 'answered'; readonly answer: unknown }
  /** It refused: a 4xx, by its code. */
  | { readonly is: 'refused'; readonly code: string }
  /** It failed: a 5xx, or an error of the worker's. */
  | { readonly is: 'failed'; readonly error: unknown }
  /** Its process died. */
  | { readonly is: 'crashed' }
  /** It continues. */
  | { readonly is: 'pending' };

export interface Done {
  readonly number: number;
  readonly operation: Operation;
  readonly caller: Caller;
  /** The job that it is about, once that is known. */
  job: string | undefined;
  /** The log's length when it began and when it had ended. */
  readonly start: number;
  end: number;
  /** The time when it began and when it had ended, in milliseconds. */
  readonly from: number;
  to: number;
  outcome: Outcome;
}

/** A handler that was given a job to run. */
export interface Start {
  readonly job: string;
  readonly worker: string;
  readonly attempt: number;
  readonly input: string;
  readonly done: Done;
}

/** What a worker reported as the end of an attempt, or as its progress. */
export interface Reported {
  readonly job: string;
  readonly worker: string;
  readonly attempt: number;
  readonly progress: boolean;
  readonly output?: string;
  readonly error?: string;
  readonly done: Done;
}

export interface History {
  readonly dones: Done[];
  readonly starts: Start[];
  readonly reports: Reported[];
  /** Inputs as they were submitted, by job id. */
  readonly inputs: Map<string, string>;
}

export const createHistory = (): History => ({ dones: [], starts: [], reports: [], inputs: new Map() });

/** Jobs whose submission was answered. */
export const acknowledged = ({ dones }: History): readonly string[] =>
  dones.flatMap(({ operation, outcome, job }) =>
    operation.does === 'run' && outcome.is === 'answered' && job ? [job] : [],
  );
