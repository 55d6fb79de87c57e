/** The operations of one sequence and the answers of the product. */
import type { Caller } from '../calls/context.ts';
import type { Operation } from './operations.ts';

export type Outcome =
  /** The operation was answered. */
  | { readonly is: 'answered'; readonly answer: unknown }
  /** The operation was refused: a 4xx response with this code. */
  | { readonly is: 'refused'; readonly code: string }
  /** The operation failed: a 5xx response, or an error of the worker. */
  | { readonly is: 'failed'; readonly error: unknown }
  /** The process of the operation died. */
  | { readonly is: 'crashed' }
  /** The operation has not finished. */
  | { readonly is: 'pending' };

export interface Done {
  readonly number: number;
  readonly operation: Operation;
  readonly caller: Caller;
  /** Id of the operation's job, when it is known. */
  job: string | undefined;
  /** Length of the log at the start and at the end of the operation. */
  readonly start: number;
  end: number;
  /** Time of the start and of the end of the operation, in milliseconds. */
  readonly from: number;
  to: number;
  outcome: Outcome;
}

/** One start of a handler, for one attempt of a job. */
export interface Start {
  readonly job: string;
  readonly worker: string;
  readonly attempt: number;
  readonly input: string;
  readonly done: Done;
}

/** A worker's report of the end of an attempt, or of progress. */
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
  /** Submitted inputs, by job id. */
  readonly inputs: Map<string, string>;
}

export const createHistory = (): History => ({ dones: [], starts: [], reports: [], inputs: new Map() });

/** Returns the ids of the jobs whose submission was answered. */
export const acknowledged = ({ dones }: History): readonly string[] =>
  dones.flatMap(({ operation, outcome, job }) =>
    operation.does === 'run' && outcome.is === 'answered' && job ? [job] : [],
  );
