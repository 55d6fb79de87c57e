/** The shapes of API keys by name. */
import { ENDPOINT_ID } from '../endpoints/endpoint.ts';
import { grantLimits } from '../keys/grant.ts';
import { keyOperations, templateScopes } from '../routes.ts';
import { record, type Schema, text } from './schema.ts';

const name = (description: string) => text(description, { minLength: 1, maxLength: grantLimits.text });
const list = (items: Schema, description: string): Schema => {
  return { type: 'array', items, minItems: 1, maxItems: grantLimits.list, description };
};
/** An id, or `*` for all. */
const endpoint: Schema = { type: 'string', pattern: `^\\*$|${ENDPOINT_ID.source}` };
const operation: Schema = { type: 'string', enum: [...keyOperations, '*'] };
const scopes: Schema = {
  type: 'array',
  items: { type: 'string', enum: templateScopes },
  maxItems: templateScopes.length,
  description: 'What it may do with templates.',
};

/** What is stored may be of another version, with other operations. */
const stored = {
  id: text('Names the key: the beginning of a hash of it.', { pattern: '^[0-9a-f]{12}$' }),
  name: text('What the key is for.'),
  owner: text('Who it belongs to.'),
  endpoints: { type: 'array', items: { type: 'string' }, description: 'Endpoint ids that it may call, `*` for all.' },
  operations: { type: 'array', items: { type: 'string' }, description: 'What it may call, `*` for all.' },
  scopes,
  createdAt: text('When it was made.', { format: 'date-time' }),
  expiresAt: text('From when on it is refused; absent if it does not expire.', { format: 'date-time' }),
};

export const keySchemas: Readonly<Record<string, Schema>> = {
  KeyList: record({ keys: { type: 'array', items: record(stored, ['expiresAt']), description: 'The oldest first.' } }),
  NewKey: record(
    {
      name: name('What the key is for.'),
      owner: name('Who it belongs to. Without it the name.'),
      endpoints: { ...list(endpoint, 'Endpoint ids that it may call, `*` for all.'), default: ['*'] },
      operations: { ...list(operation, 'What it may call, `*` for all.'), default: ['*'] },
      scopes: { ...scopes, default: [] },
      expiresAt: text('From when on it is refused: a date, or a time in UTC such as 2030-01-31T12:00Z.'),
    },
    ['owner', 'endpoints', 'operations', 'scopes', 'expiresAt'],
  ),
  CreatedKey: record(
    { ...stored, secret: text('The key itself. No other answer has it, and only a hash of it is stored.') },
    ['expiresAt'],
  ),
  RevokedKey: record({ id: stored.id }),
};
