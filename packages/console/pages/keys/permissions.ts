/** Describes the operations and scopes that a key can have. */
import { keyOperations } from '../../api/operations.ts';

interface Choice {
  readonly value: string;
  readonly description: string;
}

export const operations: readonly Choice[] = keyOperations;

/** Choices with the values of the service's `templateScopes`. */
export const scopes: readonly Choice[] = [
  { value: 'templates:read', description: 'List and read templates' },
  { value: 'templates:write', description: 'Create, change and delete templates of the owner' },
  { value: 'templates:secrets', description: 'Use any secret and registry login in a template' },
];
