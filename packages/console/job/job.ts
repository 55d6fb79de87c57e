/** Reads a job as `/status` and `/runsync` return it. The output remains the JSON text that the worker sent. */
import { ApiError } from '../api/error.ts';
import type { InQueueJob, Stage, WebhookDelivery } from '../api/job-types.ts';
import { read } from '../reading/read.ts';

export type Status = 'IN_QUEUE' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT';

export interface Job {
  readonly id: string;
  readonly status: Status;
  /** Milliseconds. */
  readonly delayTime: number;
  readonly executionTime: number;
  readonly attempts: number;
  readonly workerId?: string;
  readonly code?: string;
  readonly error?: string;
  readonly queuePosition?: number;
  readonly waitReason?: InQueueJob['waitReason'];
  readonly waitDetail?: string;
  readonly webhook?: WebhookDelivery;
  /** Stages of the wait. */
  readonly timeline?: readonly Stage[];
  /** JSON text. */
  readonly output?: string;
  /** JSON text of the whole record. */
  readonly text: string;
}

/** Fields that identify the log of a job. A row of a job list has them too. */
export type LoggedJob = Pick<Job, 'id' | 'status' | 'attempts'>;

/** @returns whether the job has a final status */
export const hasEnded = ({ status }: Pick<Job, 'status'>): boolean => status !== 'IN_QUEUE' && status !== 'IN_PROGRESS';

/**
 * @param text body of a response
 * @throws ApiError if the service failed after it had sent the response's status
 * @throws JsonSyntaxError if the body is incomplete
 */
export async function readJob(text: string, signal?: AbortSignal): Promise<Job> {
  const { head, output } = await read('job', text, undefined, signal);
  if (!('status' in head)) {
    const { error, code, requestId } = head as { error?: string; code?: string; requestId?: string };
    throw new ApiError(error ?? 'The service failed.', { status: 500, code, requestId });
  }
  return { ...(head as unknown as Job), ...(output && { output: text.slice(output.start, output.end) }), text };
}
