/** Operations on the workers of an endpoint. */

import { logLimits } from '../limits.ts';
import { logSources, WORKER_ID } from '../logs/endpoint-logs.ts';
import { reference, type Schema } from '../openapi/schema.ts';
import type { OperationDefinitions, Parameter } from './operation.ts';
import { endpointCodes, page } from './parameters.ts';

const query = (name: string, description: string, schema: Schema): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
});

export const workers = {
  workers: {
    methods: ['GET'],
    path: '/endpoints/{endpoint}/workers',
    limit: { per10Seconds: 100 },
    role: 'viewer',
    keyText: 'List the workers of an endpoint',
    lambda: { id: 'Workers', handler: 'lambda/management/workers.ts', does: 'lists the workers of an endpoint.' },
    tag: 'Endpoints',
    summary: 'Lists the workers of an endpoint',
    answer: reference('WorkerList'),
    codes: endpointCodes,
  },
  'endpoint-logs': {
    methods: ['GET'],
    path: '/endpoints/{endpoint}/logs',
    limit: { per10Seconds: 20 },
    role: 'viewer',
    keyText: 'Read what the workers of an endpoint print',
    lambda: {
      id: 'EndpointLogs',
      handler: 'lambda/management/endpoint-logs.ts',
      does: 'reads the lines that the workers of an endpoint have printed.',
    },
    tag: 'Endpoints',
    summary: 'Reads the lines that the workers of an endpoint have printed, also those that exited before a job',
    parameters: [
      query('since', 'Time of the first line, in UTC. Default: 15 minutes ago.', {
        type: 'string',
        format: 'date-time',
      }),
      query('worker', 'Id of the worker whose lines are read.', { type: 'string', pattern: WORKER_ID.source }),
      query('source', 'Container whose lines are read: `worker` runs the handler.', {
        type: 'string',
        enum: logSources,
        default: 'worker',
      }),
      ...page('lines', logLimits.page),
    ],
    answer: reference('EndpointLog'),
    codes: endpointCodes,
  },
} satisfies OperationDefinitions;
