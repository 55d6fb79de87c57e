/** A query for lines of a container. Times are milliseconds since the epoch. */
export interface LogQuery {
  /** Log group of the endpoint's workers. */
  readonly group: string;
  /** Id of the worker, which is its ECS task. */
  readonly worker: string;
  readonly source: LogSource;
  /** The first and the last time, both inclusive. */
  readonly from: number;
  readonly until?: number | undefined;
  /** Selects only lines that contain this string. */
  readonly containing?: string;
  /** Approximate number of lines after which the search can stop. */
  readonly enough: number;
}

/** The container of a line. `worker` is the ECS name of the user's container, which runs the handler. */
export type LogSource = 'agent' | 'worker';

/** A query for lines of all workers of an endpoint. Times are milliseconds since the epoch. */
export interface EndpointLogQuery extends Pick<LogQuery, 'group' | 'source' | 'from' | 'enough'> {
  /** Selects only lines of this worker. */
  readonly worker?: string | undefined;
  /** The last time, inclusive. */
  readonly until: number;
}

export interface LogLine {
  readonly time: number;
  readonly message: string;
}

/** A line with the worker that printed it. */
export interface WorkerLine extends LogLine {
  readonly worker: string;
}

export interface FoundLines<Line extends LogLine = LogLine> {
  /** Lines, oldest first. */
  readonly lines: readonly Line[];
  /** Whether all current lines were found. Lines appear some seconds after they were printed. */
  readonly complete: boolean;
}

/** The logs of workers' containers. */
export interface Logs {
  /**
   * Searches the log lines of one container of a worker.
   * @throws LogsBusy if AWS throttles the log searches of the account
   */
  read(query: LogQuery): Promise<FoundLines>;
  /**
   * Searches the log lines of one container of all workers of an endpoint.
   * @throws LogsBusy
   */
  readAll(query: EndpointLogQuery): Promise<FoundLines<WorkerLine>>;
}
