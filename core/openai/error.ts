/** Errors in the shape that OpenAI's clients read. */

/** The members of an error. */
export interface OpenAiProblem {
  readonly message: string;
  /** Such as `invalid_request_error`. */
  readonly type: string;
  /** The parameter that is wrong, if one is. */
  readonly param: string | null;
  readonly code: string | number | null;
}

/** Types by status; other statuses have the type of their class, 4xx or 5xx. */
const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  429: 'rate_limit_error',
};

export const typeOf = (status: number): string =>
  types[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error');

/** `{"error": {"message", "type", "param", "code"}}` */
export const errorText = ({ message, type, param, code }: OpenAiProblem): string =>
  JSON.stringify({ error: { message, type, param, code } });

/** Returns whether the value is the status of an error. */
export const isErrorStatus = (status: unknown): status is number =>
  typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 599;

interface JobErrorOptions {
  /** Media type and bytes of the server's own response. @default - OpenAI's shape */
  readonly response?: { readonly contentType: string; readonly bytes: Uint8Array } | undefined;
  /** Whether a retry would fail again, or would pay for the same work again. @default false */
  readonly isFinal?: boolean;
}

/** The job has not succeeded, or not in time. */
export class JobError extends Error {
  override readonly name = 'JobError';
  readonly status: number;
  readonly problem: OpenAiProblem;
  readonly contentType: string;
  readonly bytes: Uint8Array;
  readonly isFinal: boolean;

  constructor(status: number, problem: OpenAiProblem, { response, isFinal = false }: JobErrorOptions = {}) {
    super(problem.message);
    this.status = status;
    this.problem = problem;
    this.contentType = response?.contentType ?? 'application/json';
    this.bytes = response?.bytes ?? Buffer.from(errorText(problem));
    this.isFinal = isFinal;
  }
}
