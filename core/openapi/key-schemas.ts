/** Schemas of API keys by name. */
import { ENDPOINT_ID } from '../endpoints/endpoint-id.ts';
import { budgetLimits } from '../endpoints/spending.ts';
import { grantLimits } from '../keys/grant.ts';
import { keyOperations, templateScopes } from '../operations/routes.ts';
import { TIME } from '../requests/time.ts';
import { OWNER } from '../users/owner.ts';
import { exactObject, type Schema, text, withDefaultsDescribed } from './schema.ts';

const name = (description: string) => text(description, { minLength: 1, maxLength: grantLimits.text });
const list = (items: Schema, description: string): Schema => {
  return { type: 'array', items, minItems: 1, maxItems: grantLimits.list, description };
};
/** Schema of an id, or `*` for all. */
const endpoint: Schema = { type: 'string', pattern: `^\\*$|${ENDPOINT_ID.source}` };
const operation: Schema = { type: 'string', enum: [...keyOperations, '*'] };
const scopes: Schema = {
  type: 'array',
  items: { type: 'string', enum: templateScopes },
  maxItems: templateScopes.length,
  description: 'Template scopes of the key.',
};

const budget: Schema = {
  type: 'number',
  minimum: budgetLimits.min,
  maximum: budgetLimits.max,
  description: 'Dollars of worker time in a day (UTC) after which the key submits no more jobs; absent for no budget.',
};

/** Stored keys can be from another version with other operations. */
const stored = {
  id: text('Id of the key: the beginning of its hash.', { pattern: '^[0-9a-f]{12}$' }),
  name: text('Name of the key.'),
  owner: text('Owner of the key.'),
  endpoints: {
    type: 'array',
    items: { type: 'string' },
    description: 'Ids of the endpoints that the key may call; `*` means all.',
  },
  operations: {
    type: 'array',
    items: { type: 'string' },
    description: 'Operations that the key may call; `*` means all.',
  },
  scopes,
  createdAt: text('Time of creation.', { format: 'date-time' }),
  expiresAt: text('Expiry; absent if the key does not expire.', { format: 'date-time' }),
  maxDollarsPerDay: budget,
};

export const keySchemas: Readonly<Record<string, Schema>> = {
  KeyList: exactObject({
    keys: {
      type: 'array',
      items: exactObject(stored, ['expiresAt', 'maxDollarsPerDay']),
      description: 'Keys, oldest first.',
    },
  }),
  NewKey: exactObject(
    withDefaultsDescribed({
      name: name('Name of the key.'),
      owner: { ...name('Owner of the key. The default is the name.'), pattern: OWNER.source },
      endpoints: { ...list(endpoint, 'Ids of the endpoints that the key may call; `*` means all.'), default: ['*'] },
      operations: { ...list(operation, 'Operations that the key may call; `*` means all.'), default: ['*'] },
      scopes: { ...scopes, default: [] },
      expiresAt: text('Expiry in the future: a date, or a time in UTC such as 2030-01-31T12:00Z.', {
        pattern: TIME.source,
      }),
      maxDollarsPerDay: budget,
    }),
    ['owner', 'endpoints', 'operations', 'scopes', 'expiresAt', 'maxDollarsPerDay'],
  ),
  CreatedKey: exactObject(
    { ...stored, secret: text('The secret key. Only this response contains it, because only its hash is stored.') },
    ['expiresAt', 'maxDollarsPerDay'],
  ),
  RevokedKey: exactObject({ id: stored.id }),
};
