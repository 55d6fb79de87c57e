/** Which lines of a container are wanted. Times are milliseconds since the epoch. */
export interface LogQuery {
  /** Of the endpoint's workers. */
  readonly group: string;
  readonly worker: string;
  readonly source: LogSource;
  /** The first and the last time that is wanted. */
  readonly from: number;
  readonly until?: number;
  /** Only lines with this text. */
  readonly containing?: string;
  /** About so many lines are enough. */
  readonly enough: number;
}

/** Whose line it is: of our agent, or of the container beside it, which runs the handler. */
export type LogSource = 'agent' | 'worker';

export interface LogLine {
  readonly time: number;
  readonly message: string;
}

export interface FoundLines {
  /** The oldest first. */
  readonly lines: readonly LogLine[];
  /** Whether there are no more, as far as is known by now: lines come some seconds after they were printed. */
  readonly complete: boolean;
}

/** What the containers of workers print. */
export interface Logs {
  /** @throws LogsBusy if more is asked of the logs than the account may */
  read(query: LogQuery): Promise<FoundLines>;
}
