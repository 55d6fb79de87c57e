/** Errors in the format of OpenAI's API. */

import type { RequestError } from '../requests/errors.ts';

/** The members of an error. */
export interface OpenAiProblem {
  readonly message: string;
  /** Error type, such as `invalid_request_error`. */
  readonly type: string;
  /** The invalid parameter, if any. */
  readonly param: string | null;
  readonly code: string | number | null;
}

/** Error types by status. Other statuses have the type of their class, 4xx or 5xx. */
const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  429: 'rate_limit_error',
};

export const typeOf = (status: number): string =>
  types[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error');

/** Returns a refused request as an error of OpenAI's API. */
export const problemOfRefusal = ({
  status,
  message,
  code,
}: Pick<RequestError, 'status' | 'message' | 'code'>): OpenAiProblem => ({
  message,
  type: typeOf(status),
  param: null,
  code,
});

/** Returns the body of an error: `{"error": {"message", "type", "param", "code"}}`. */
export const errorText = ({ message, type, param, code }: OpenAiProblem): string =>
  JSON.stringify({ error: { message, type, param, code } });

/** Returns whether the value is the status of an error. */
export const isErrorStatus = (status: unknown): status is number =>
  typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 599;

/** Form of the header `Retry-After`: a number of seconds, or a date. */
const RETRY_AFTER = /^(?:\d{1,9}|[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT)$/;

/** Returns whether the value, which a worker has sent, is a valid header `Retry-After`. */
export const isRetryAfter = (value: unknown): value is string => typeof value === 'string' && RETRY_AFTER.test(value);

interface JobErrorOptions {
  /**
   * Media type and bytes of the server's own response.
   * @default - the format of OpenAI's API
   */
  readonly response?: { readonly contentType: string; readonly bytes: Uint8Array } | undefined;
  /** Value of the server's header `Retry-After`. */
  readonly retryAfter?: string | undefined;
  /**
   * Whether a retry is useless, because it would fail again or repeat paid work.
   * @default false
   */
  readonly isFinal?: boolean;
}

/** The job has not succeeded, or has not ended in time. */
export class JobError extends Error {
  override readonly name = 'JobError';
  readonly status: number;
  readonly problem: OpenAiProblem;
  readonly contentType: string;
  readonly bytes: Uint8Array;
  readonly retryAfter: string | undefined;
  readonly isFinal: boolean;

  constructor(status: number, problem: OpenAiProblem, { response, retryAfter, isFinal = false }: JobErrorOptions = {}) {
    super(problem.message);
    this.status = status;
    this.problem = problem;
    this.contentType = response?.contentType ?? 'application/json';
    this.bytes = response?.bytes ?? Buffer.from(errorText(problem));
    this.retryAfter = retryAfter;
    this.isFinal = isFinal;
  }
}
