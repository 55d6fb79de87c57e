/** The groups that the console names beside disabled controls. */
import { describe, expect, it } from '@jest/globals';
import { groupFor, refusalOf } from '../../console/session/groups.ts';

describe('the group that an operation needs', () => {
  it.each([
    ['status', 'viewer'],
    ['logs', 'viewer'],
    ['run', 'operator'],
    ['resume', 'operator'],
    ['purge-queue', 'admin'],
    ['update-template', 'admin'],
    ['list-keys', 'admin'],
  ])('of %s is %s', (operation, group) => {
    expect(groupFor(operation)).toBe(group);
  });

  it('is named beside the groups that the user has', () => {
    expect(refusalOf('create-key', ['viewer', 'operator'])).toBe(
      'Only users of the group "admin" may do this. You are in: viewer, operator.',
    );
    expect(refusalOf('cancel', [])).toBe('Only users of the group "operator" may do this. You are in no group.');
  });
});
