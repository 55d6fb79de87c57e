/** Tests of the groups that the console names beside disabled controls. */
import { describe, expect, it } from '@jest/globals';
import { operations } from '../../core/operations/routes.ts';
import { rolesFor } from '../../core/users/role.ts';
import { groupFor, refusalOf } from '../../packages/console/session/groups.ts';

describe('the group that an operation needs', () => {
  it.each(operations)('is the group that the service requires for %s', (operation) => {
    expect(groupFor(operation)).toBe(rolesFor(operation)[0]);
  });

  it('is shown with the groups of the user', () => {
    expect(refusalOf('create-key', ['viewer', 'operator'])).toBe(
      'Only users in the group "admin" can do this. You are in: viewer, operator.',
    );
    expect(refusalOf('cancel', [])).toBe('Only users in the group "operator" can do this. You are not in any group.');
  });
});
