/** Operations on all jobs of an endpoint. */
import { jobStatuses } from '../jobs/job.ts';
import { listLimits } from '../limits.ts';
import { reference } from '../openapi/schema.ts';
import type { OperationDefinitions, Parameter } from './operation.ts';
import { endpointCodes, page } from './parameters.ts';

const status: Parameter = {
  name: 'status',
  in: 'query',
  description: 'Returns only jobs with one of these statuses, separated by commas.',
  schema: { type: 'array', items: { type: 'string', enum: jobStatuses }, minItems: 1 },
  style: 'form',
  explode: false,
};

export const queue = {
  'purge-queue': {
    methods: ['POST'],
    path: '/{endpoint}/purge-queue',
    limit: { per10Seconds: 2, exact: true },
    role: 'admin',
    keyText: 'Remove all waiting jobs',
    // A purge can count jobs for almost as long as API Gateway waits (`purgeCount` in core/jobs/purge-queue.ts).
    lambda: { id: 'PurgeQueue', handler: 'lambda/jobs/purge-queue.ts', does: 'cancels all waiting jobs.' },
    tag: 'Queue',
    summary: 'Cancels all waiting jobs',
    answer: reference('PurgeResult'),
    codes: endpointCodes,
  },
  requests: {
    methods: ['GET'],
    path: '/{endpoint}/requests',
    limit: { per10Seconds: 10, exact: true, concurrent: 2 },
    role: 'viewer',
    keyText: 'List the jobs of an endpoint',
    lambda: { id: 'Requests', handler: 'lambda/jobs/requests.ts', does: 'lists jobs, newest first.' },
    tag: 'Queue',
    summary: 'Lists the jobs of the endpoint',
    parameters: [status, ...page('jobs', listLimits.page)],
    answer: reference('JobList'),
    codes: endpointCodes,
  },
} satisfies OperationDefinitions;
