/** The operation that counts the jobs and workers of an endpoint. */
import { SECOND } from '../limits.ts';
import { reference } from '../openapi/schema.ts';
import type { OperationDefinitions } from './operation.ts';
import { endpointCodes } from './parameters.ts';

export const health = {
  health: {
    methods: ['GET'],
    path: '/{endpoint}/health',
    limit: { per10Seconds: 2000 },
    role: 'viewer',
    keyText: 'Read the numbers of jobs and workers',
    lambda: {
      id: 'Health',
      handler: 'lambda/jobs/health.ts',
      does: 'counts jobs and workers.',
      timeout: 10 * SECOND,
    },
    tag: 'Queue',
    summary: 'Counts jobs and workers',
    answer: reference('Health'),
    codes: endpointCodes,
  },
} satisfies OperationDefinitions;
