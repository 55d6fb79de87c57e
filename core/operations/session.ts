/** The operation that returns the caller. */
import { reference } from '../openapi/schema.ts';
import type { OperationDefinitions } from './operation.ts';

export const session = {
  session: {
    methods: ['GET'],
    path: '/session',
    limit: { per10Seconds: 100 },
    audience: 'all',
    role: 'viewer',
    lambda: {
      id: 'Session',
      handler: 'lambda/management/session.ts',
      does: 'returns the caller and its permissions.',
    },
    tag: 'Description',
    summary: 'Returns the caller and its permissions',
    answer: reference('Session'),
  },
} satisfies OperationDefinitions;
