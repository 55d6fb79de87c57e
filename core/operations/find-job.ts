/** The operation that finds a job whose endpoint is not known. */
import { reference } from '../openapi/schema.ts';
import type { OperationDefinitions } from './operation.ts';

export const findJob = {
  'find-job': {
    methods: ['GET'],
    path: '/jobs/{job}',
    limit: { per10Seconds: 100 },
    role: 'viewer',
    keyText: 'Find a job by its id only',
    lambda: { id: 'FindJob', handler: 'lambda/management/find-job.ts', does: 'finds a job by its id.' },
    tag: 'Jobs',
    summary: 'Finds a job by its id, in the endpoints that the caller may call',
    answer: reference('JobPlace'),
    codes: ['JOB_NOT_FOUND', 'JOB_EXPIRED'],
  },
} satisfies OperationDefinitions;
