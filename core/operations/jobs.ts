/** Operations on a job that exists. */
import { logLimits, SECOND } from '../limits.ts';
import { reference } from '../openapi/schema.ts';
import type { OperationDefinitions } from './operation.ts';
import { jobCodes, page } from './parameters.ts';

export const jobs = {
  logs: {
    methods: ['GET'],
    path: '/{endpoint}/logs/{job}',
    limit: { per10Seconds: 100 },
    role: 'viewer',
    keyText: "Read a job's logs",
    lambda: { id: 'Logs', handler: 'lambda/jobs/logs.ts', does: 'lists the log lines of a job.' },
    tag: 'Jobs',
    summary: 'Lists the log lines of a job',
    parameters: page('lines', logLimits.page),
    answer: reference('JobLog'),
    codes: jobCodes,
  },
  cancel: {
    methods: ['POST'],
    path: '/{endpoint}/cancel/{job}',
    limit: { per10Seconds: 100, exact: true, concurrent: 20 },
    role: 'operator',
    keyText: 'Cancel a job',
    lambda: {
      id: 'Cancel',
      handler: 'lambda/jobs/cancel.ts',
      does: 'cancels a job.',
      // A call that crashes holds one of the concurrent calls for as long.
      timeout: 10 * SECOND,
    },
    tag: 'Jobs',
    summary: 'Ends a job',
    answer: reference('Acknowledgement'),
    codes: jobCodes,
  },
  retry: {
    methods: ['POST'],
    path: '/{endpoint}/retry/{job}',
    limit: { per10Seconds: 100 },
    role: 'operator',
    keyText: 'Retry a failed job',
    lambda: { id: 'Retry', handler: 'lambda/jobs/retry.ts', does: 'runs a failed job again.' },
    tag: 'Jobs',
    summary: 'Retries a job that has failed or timed out',
    answer: reference('Acknowledgement'),
    codes: [...jobCodes, 'JOB_NOT_RETRYABLE'],
  },
} satisfies OperationDefinitions;
