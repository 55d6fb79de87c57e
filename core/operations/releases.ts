/** Operations on the releases of an endpoint. */
import { listLimits, payloadLimits } from '../limits.ts';
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
  rollback: {
    methods: ['POST'],
    path: '/endpoints/{endpoint}/rollback',
    limit: { per10Seconds: 10 },
    scope: 'templates:write',
    role: 'admin',
    lambda: {
      id: 'Rollback',
      handler: 'lambda/management/rollback.ts',
      does: 'returns the template of an endpoint to the settings of an earlier release.',
    },
    tag: 'Endpoints',
    summary: "Returns the endpoint's template to the settings of an earlier release, and rolls it out",
    body: reference('RollbackRequest'),
    maxBytes: payloadLimits.field,
    example: { revision: 7, reason: 'Version 9 answers too slowly' },
    answer: reference('Rollback'),
    codes: [
      ...endpointCodes,
      ...(['SECRETS_NOT_PERMITTED', 'TEMPLATE_NOT_FOUND', 'TEMPLATE_READ_ONLY', 'DECLARED_IN_GIT'] as const),
    ],
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
