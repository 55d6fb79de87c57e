/** Tests of the user's rights on the settings page. */
import { describe, expect, it } from '@jest/globals';
import { rightsOf } from '../pages/settings/rights.ts';
import { groupFor } from '../session/groups.ts';

const granted = (operations: readonly string[]) =>
  rightsOf(operations)
    .filter(({ isGranted }) => isGranted)
    .map(({ text }) => text);

describe('the rights of a session', () => {
  it('are granted if all their operations are permitted', () => {
    expect(granted(['run', 'runsync', 'cancel', 'purge-queue'])).toEqual(['Run jobs', 'Purge queues']);
    expect(granted([])).toEqual([]);
  });

  it('include the group that each right needs', () => {
    const groups = Object.fromEntries(rightsOf([]).map(({ text, operation }) => [text, groupFor(operation)]));
    expect(groups).toMatchObject({
      'Read templates': 'viewer',
      'Send webhooks again': 'operator',
      'Retry a release that was rolled back': 'operator',
      'List, create and revoke API keys': 'admin',
    });
  });
});
