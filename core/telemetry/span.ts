/** Spans of jobs and workers, as OpenTelemetry defines them, and their ids. */
import { createHash } from 'node:crypto';
import { traceIdOf } from '../jobs/trace.ts';

export type AttributeValue = string | number | boolean;
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

/** A span that has ended. Times are in milliseconds since the epoch. */
export interface Span {
  /** 32 hexadecimal digits; ids of spans have 16. */
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
  readonly name: string;
  readonly kind: 'INTERNAL' | 'CLIENT' | 'CONSUMER';
  readonly from: number;
  readonly to: number;
  readonly attributes: Attributes;
  /** Why what the span describes has failed; absent if it has not. */
  readonly error?: string | undefined;
}

const digest = (...parts: readonly (string | number)[]) => createHash('sha256').update(parts.join('#')).digest('hex');

/** Returns the id of the span that the parts name. The same parts have the same id in each process. */
export const spanIdOf = (...parts: readonly (string | number)[]): string => digest('span', ...parts).slice(0, 16);

/** Returns the trace id of something that no request has given one, from its unique name. */
export const derivedTraceId = (...parts: readonly (string | number)[]): string =>
  digest('trace', ...parts).slice(0, 32);

/** A row of the history that belongs to a job. */
interface OfJob {
  readonly id: string;
  readonly trace?: string | undefined;
}

/** Returns the trace id of the job: that of its request, or one derived from its id. */
export const traceIdOfJob = ({ id, trace }: OfJob): string =>
  trace === undefined ? derivedTraceId('job', id) : traceIdOf(trace);

/**
 * Returns the id of the span of a job, from its submission or last retry to its end.
 * @param retries times that the job was retried before
 */
export const jobSpanId = (id: string, retries: number): string => spanIdOf('job', id, retries);
