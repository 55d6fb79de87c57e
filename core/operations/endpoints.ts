/** The operation that lists endpoints. */
import { reference } from '../openapi/schema.ts';
import type { OperationDefinitions } from './operation.ts';

export const endpoints = {
  endpoints: {
    methods: ['GET'],
    path: '/endpoints',
    limit: { per10Seconds: 100 },
    role: 'viewer',
    keyText: 'List the endpoints',
    lambda: {
      id: 'Endpoints',
      handler: 'lambda/management/endpoints.ts',
      does: 'lists the endpoints that a key may call.',
    },
    tag: 'Endpoints',
    summary: 'Lists the endpoints that the caller may call',
    answer: reference('EndpointList'),
  },
} satisfies OperationDefinitions;
