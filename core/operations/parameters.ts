/** Parameters and codes that several operations have. */

import { waitLimits } from '../limits.ts';
import type { ErrorCode } from '../openapi/codes.ts';
import { minCursorLength } from '../requests/cursor.ts';
import type { Parameter } from './operation.ts';

/** Codes of operations on an endpoint, and on a job of an endpoint. */
export const endpointCodes: readonly ErrorCode[] = ['ENDPOINT_NOT_FOUND'];
export const jobCodes: readonly ErrorCode[] = ['ENDPOINT_NOT_FOUND', 'JOB_NOT_FOUND', 'JOB_EXPIRED'];

/** Codes of operations that accept a job and wait for its end. */
export const callCodes: readonly ErrorCode[] = [
  ...endpointCodes,
  'JOB_EXPIRED',
  'REQUEST_TIMEOUT',
  'IDEMPOTENCY_CONFLICT',
  'QUEUE_FULL',
  'BUDGET_SPENT',
  'WORKER_LOST',
];

export const wait: Parameter = {
  name: 'wait',
  in: 'query',
  description:
    'Maximum time to wait for the end of the job, in milliseconds. After that, the response has the current state.',
  schema: { type: 'integer', minimum: waitLimits.min, maximum: waitLimits.max, default: waitLimits.default },
};

export const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'For 24 hours, repeated requests with the same key and body return the same job.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};

export const traceparent: Parameter = {
  name: 'traceparent',
  in: 'header',
  description:
    'Trace of the request (W3C Trace Context). Its worker and its webhook get the same header. A header that is not valid is ignored.',
  schema: { type: 'string', example: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
};

/** Returns the parameters of a list with pages. */
export const page = (
  things: string,
  { min, max, default: usual }: Readonly<Record<'min' | 'max' | 'default', number>>,
): readonly Parameter[] => [
  {
    name: 'limit',
    in: 'query',
    description: `Maximum number of ${things} per page.`,
    schema: { type: 'integer', minimum: min, maximum: max, default: usual },
  },
  {
    name: 'cursor',
    in: 'query',
    description: 'The unchanged `nextCursor` of the previous page. Any other value is a 400.',
    schema: { type: 'string', minLength: minCursorLength, pattern: '^[\\w-]+$' },
  },
];
