/** Operations on API keys, for users only: a key cannot create another key. */
import { payloadLimits } from '../limits.ts';
import { reference } from '../openapi/schema.ts';
import type { OperationDefinitions } from './operation.ts';
import type { RouteLimit } from './route.ts';

/** Limit of each operation on keys, which the contract does not define. */
const limit: RouteLimit = { per10Seconds: 100 };

export const keys = {
  'list-keys': {
    methods: ['GET'],
    path: '/keys',
    limit,
    audience: 'users',
    role: 'admin',
    lambda: { id: 'ListKeys', handler: 'lambda/management/list-keys.ts', does: 'lists the client keys.' },
    tag: 'Keys',
    summary: 'Lists the API keys',
    answer: reference('KeyList'),
  },
  'create-key': {
    methods: ['POST'],
    path: '/keys',
    limit,
    audience: 'users',
    role: 'admin',
    lambda: { id: 'CreateKey', handler: 'lambda/management/create-key.ts', does: 'creates a client key.' },
    tag: 'Keys',
    summary: 'Creates an API key',
    body: reference('NewKey'),
    maxBytes: payloadLimits.field,
    example: { name: 'ci', endpoints: ['echo'], operations: ['run', 'status'], expiresAt: '2030-01-31' },
    answer: reference('CreatedKey'),
  },
  'revoke-key': {
    methods: ['DELETE'],
    path: '/keys/{key}',
    limit,
    audience: 'users',
    role: 'admin',
    lambda: { id: 'RevokeKey', handler: 'lambda/management/revoke-key.ts', does: 'revokes a client key.' },
    tag: 'Keys',
    summary: 'Revokes an API key, which is refused within 60 seconds',
    answer: reference('RevokedKey'),
    codes: ['KEY_NOT_FOUND'],
  },
} satisfies OperationDefinitions;
