/** Error codes over HTTP that have a fixed status. `docs/reference/errors.md` explains them. */
export const errorStatuses = {
  INVALID_REQUEST: 400,
  JOB_NOT_RETRYABLE: 400,
  TEMPLATE_NAME_TAKEN: 400,
  TEMPLATE_READ_ONLY: 400,
  TEMPLATE_IN_USE: 400,
  WEBHOOK_NOT_FAILED: 400,
  UNAUTHORIZED: 401,
  TOKEN_EXPIRED: 401,
  NOT_PERMITTED: 401,
  SECRETS_NOT_PERMITTED: 401,
  ENDPOINT_NOT_FOUND: 404,
  JOB_NOT_FOUND: 404,
  JOB_EXPIRED: 404,
  TEMPLATE_NOT_FOUND: 404,
  KEY_NOT_FOUND: 404,
  WEBHOOK_NOT_FOUND: 404,
  ROUTE_NOT_FOUND: 404,
  REQUEST_TIMEOUT: 408,
  IDEMPOTENCY_CONFLICT: 409,
  DECLARED_IN_GIT: 409,
  PAYLOAD_TOO_LARGE: 413,
  QUEUE_FULL: 429,
  BUDGET_SPENT: 429,
  TOO_MANY_REQUESTS: 429,
  WORKER_LOST: 500,
  INTERNAL: 500,
  NOT_READY: 503,
  GATEWAY_FAILURE: 504,
  GATEWAY_TIMEOUT: 504,
} as const;

export type ErrorCode = keyof typeof errorStatuses;

/** Code of requests that API Gateway itself refuses. Their status is that of API Gateway. */
export const REFUSED_BY_GATEWAY = 'REQUEST_REFUSED';

/** All codes of errors over HTTP. */
export const errorCodes: readonly string[] = [...Object.keys(errorStatuses), REFUSED_BY_GATEWAY];

/** Codes with which the gateway can answer any request. */
const ofGateway = ['TOO_MANY_REQUESTS', 'INTERNAL', 'GATEWAY_FAILURE', 'GATEWAY_TIMEOUT'] as const;

/** Codes of a public route. */
export const openCodes: readonly ErrorCode[] = ofGateway;

/** Codes of every route that requires a key. */
export const commonCodes: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'UNAUTHORIZED',
  'TOKEN_EXPIRED',
  'NOT_PERMITTED',
  'PAYLOAD_TOO_LARGE',
  'NOT_READY',
  ...ofGateway,
];
