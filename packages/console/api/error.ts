/** The error of a request, with the service's message. */

export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 if no response arrived. */
  readonly status: number;
  /** A code of docs/reference/errors.md, such as `JOB_NOT_FOUND`; empty if no response arrived. */
  readonly code: string;
  readonly requestId: string | undefined;
  /** Milliseconds to wait before the next request, from `Retry-After`. */
  readonly retryAfter: number | undefined;
  /** Whether the service still accepts the token. If so, a 401 refuses only this call. */
  readonly isTokenValid: boolean;

  constructor(
    message: string,
    facts: {
      status: number;
      code?: string | undefined;
      requestId?: string | undefined;
      retryAfter?: number | undefined;
      isTokenValid?: boolean;
      /** The error that the browser threw. */
      cause?: unknown;
    },
  ) {
    super(message, { cause: facts.cause });
    this.status = facts.status;
    this.code = facts.code ?? '';
    this.requestId = facts.requestId;
    this.retryAfter = facts.retryAfter;
    this.isTokenValid = facts.isTokenValid ?? false;
  }

  /** Whether the user must sign in again. */
  get needsSignIn(): boolean {
    return this.status === 401 && !this.code.endsWith('NOT_PERMITTED') && !this.isTokenValid;
  }
}

interface ErrorBody {
  /** An object in the format of OpenAI. */
  readonly error?: string | { readonly message: string; readonly code?: string };
  readonly code?: string;
  readonly requestId?: string;
}

function secondsOf(header: string | null): number | undefined {
  const seconds = Number(header);
  return header !== null && Number.isFinite(seconds) ? seconds * 1000 : undefined;
}

/** @param isTokenValid called if the response can mean a refused call or an expired session */
export async function errorOf(response: Response, isTokenValid: () => Promise<boolean>): Promise<ApiError> {
  const { error, ...rest } = (await response.json().catch(() => ({}))) as ErrorBody;
  const isText = error === undefined || typeof error === 'string';
  const body = isText ? { error, ...rest } : { ...rest, error: error.message, code: error.code ?? rest.code };
  return new ApiError(body.error ?? `The service answered with status ${response.status}.`, {
    status: response.status,
    code: body.code,
    requestId: body.requestId ?? response.headers.get('x-request-id') ?? undefined,
    retryAfter: secondsOf(response.headers.get('retry-after')),
    // The service returns this code for a revoked token and for a change of another owner's template.
    isTokenValid: body.code === 'UNAUTHORIZED' && (await isTokenValid()),
  });
}

/** @param cause the error that `fetch` threw because of the network */
export const unreachable = (cause: unknown): ApiError =>
  new ApiError(`The service could not be reached: ${cause instanceof Error ? cause.message : String(cause)}`, {
    status: 0,
    cause,
  });
