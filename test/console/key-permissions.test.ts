import { describe, expect, it } from '@jest/globals';
import { keyOperations, templateScopes } from '../../core/operations/routes.ts';
import { operations, scopes } from '../../packages/console/pages/keys/permissions.ts';

describe('the form of a new key', () => {
  it('offers every operation and scope that the service has for keys', () => {
    const offered = operations.map(({ value }) => value);
    expect(keyOperations.filter((operation) => !offered.includes(operation))).toEqual([]);
    expect(scopes.map(({ value }) => value)).toEqual([...templateScopes]);
  });
});
