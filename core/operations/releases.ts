/** Operations on the releases of an endpoint. */
import { listLimits } from '../limits.ts';
import { reference } from '../openapi/schema.ts';
import type { OperationDefinitions } from './operation.ts';
import { endpointCodes, page } from './parameters.ts';

export const releases = {
  releases: {
    methods: ['GET'],
    path: '/endpoints/{endpoint}/releases',
    limit: { per10Seconds: 100 },
    role: 'viewer',
    keyText: 'List the releases of an endpoint',
    lambda: {
      id: 'Releases',
      handler: 'lambda/management/releases.ts',
      does: 'lists the releases of an endpoint.',
    },
    tag: 'Endpoints',
    summary: 'Lists the releases of an endpoint',
    parameters: page('releases', listLimits.page),
    answer: reference('ReleaseList'),
    codes: endpointCodes,
  },
  resume: {
    methods: ['POST'],
    path: '/endpoints/{endpoint}/resume',
    limit: { per10Seconds: 10 },
    audience: 'users',
    role: 'operator',
    lambda: {
      id: 'Resume',
      handler: 'lambda/management/resume.ts',
      does: 'lets an endpoint that backs off start workers again.',
    },
    tag: 'Endpoints',
    summary: 'Ends the back-off of an endpoint, so that it starts workers again',
    answer: reference('Resumed'),
    codes: endpointCodes,
  },
} satisfies OperationDefinitions;
