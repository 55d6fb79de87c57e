import type { EndedAttempt } from './ended-attempt.ts';
import type { EndedDelivery } from './ended-delivery.ts';
import type { EndedJob, LateJob } from './ended-job.ts';
import type { EndedWorker } from './ended-worker.ts';
import type { EndpointEvent } from './event.ts';

/** A position among the rows of one kind: `<time of the end>#<id>`. Positions sort by time. */
export type HistoryPosition = string;

/** A part of the history of an endpoint. */
export interface HistoryRange {
  readonly endpoint: string;
  /** Position after which rows are read. */
  readonly after: HistoryPosition;
  /** Position before which rows are read. */
  readonly before: HistoryPosition;
  /** Whether the part begins with the oldest row of the range; otherwise with the newest. */
  readonly isOldestFirst: boolean;
  /** Maximum number of rows. */
  readonly max: number;
  /**
   * Whether the read is strongly consistent, which doubles its cost.
   * @default false
   */
  readonly isConsistent?: boolean | undefined;
}

export interface HistoryPart<Row> {
  /** In the order of the range. */
  readonly rows: readonly Row[];
  /** Position of the last row that was read; absent if the part contains all rows of the range. */
  readonly reached?: HistoryPosition | undefined;
}

/** The rows of one kind in the history. */
export interface HistoryOf<Row> {
  /** Whether the deployment keeps a history. */
  readonly isKept: boolean;
  /** Stores the rows. A repeated call stores each row once. */
  save(rows: readonly Row[]): Promise<void>;
  /** Reads the beginning of the range. */
  read(range: HistoryRange): Promise<HistoryPart<Row>>;
}

export type JobHistory = HistoryOf<EndedJob>;
export type AttemptHistory = HistoryOf<EndedAttempt>;
/** Ends that are stored with an earlier time, by the time at which they were stored. */
export type LateJobHistory = HistoryOf<LateJob>;
export type WorkerHistory = HistoryOf<EndedWorker>;

/** Calls of the receivers of webhooks, which are kept only if spans are made of them. */
export interface DeliveryHistory extends Pick<HistoryOf<EndedDelivery>, 'isKept' | 'read'> {
  /** Stores a call, if calls are kept. A failure is logged, because the receiver has already been called. */
  add(row: EndedDelivery): Promise<void>;
}

/** The events of endpoints. */
export interface EventHistory extends Pick<HistoryOf<EndpointEvent>, 'read'> {
  /** Stores an event, if the deployment keeps a history. A failure is logged, because the change has already happened. */
  add(event: EndpointEvent): Promise<void>;
}

/** Digits of a time in milliseconds until the year 2286, so that positions sort like times. */
const TIME_DIGITS = 13;

/** Form of a position. */
export const POSITION = /^\d{13}#[\w-]*$/;

/** Returns a time in milliseconds as a text that sorts like the time. */
export const sortableTime = (time: number): string => String(time).padStart(TIME_DIGITS, '0');

/** Returns the position before all rows of this time. */
export const positionAt = (time: number): HistoryPosition => `${sortableTime(time)}#`;

export const positionOf = ({ finishedAt, id }: Pick<EndedJob, 'finishedAt' | 'id'>): HistoryPosition =>
  positionAt(finishedAt) + id;

export const positionOfEvent = ({ at, kind, key, revision, version, from, to }: EndpointEvent): HistoryPosition =>
  positionAt(at) + [kind, key, revision ?? version, from, to].filter((part) => part !== undefined).join('-');

/** Returns the time of a position. */
export const timeOf = (position: HistoryPosition): number => Number.parseInt(position, 10);
