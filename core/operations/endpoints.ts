/** Operations that list and read endpoints. */
import { furtherMembers } from '../management/endpoints.ts';
import { reference } from '../openapi/schema.ts';
import type { OperationDefinitions } from './operation.ts';
import { endpointCodes } from './parameters.ts';

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
    parameters: [
      {
        name: 'include',
        in: 'query',
        description: `Further members, separated by commas: ${furtherMembers.join(', ')}. Default: none.`,
        schema: { type: 'string' },
      },
    ],
    answer: reference('EndpointList'),
  },
  'read-endpoint': {
    methods: ['GET'],
    path: '/endpoints/{endpoint}',
    limit: { per10Seconds: 100 },
    role: 'viewer',
    keyText: 'Read an endpoint',
    lambda: {
      id: 'ReadEndpoint',
      handler: 'lambda/management/read-endpoint.ts',
      does: 'reads an endpoint.',
    },
    tag: 'Endpoints',
    summary: 'Reads an endpoint with its settings and its running release',
    answer: reference('EndpointDetails'),
    codes: endpointCodes,
  },
} satisfies OperationDefinitions;
