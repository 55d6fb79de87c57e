/** The operation on the workers of an endpoint. */
import { reference } from '../openapi/schema.ts';
import type { OperationDefinitions } from './operation.ts';
import { endpointCodes } from './parameters.ts';

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
} satisfies OperationDefinitions;
