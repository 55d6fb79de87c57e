import { expect, it } from '@jest/globals';
import { permissionsOf, roleNamed } from '../../../test/lib/permissions.ts';
import { stackOf, synthesizeWith } from '../../../test/lib/synthesis.ts';
import { reasonsWithoutIngress } from './reasons.ts';
import { rolesWithoutIngress } from './roles.ts';

const { template } = stackOf(synthesizeWith({ ingress: 'off' }), 'Platform');

/** Returns the page's name of the resource of a statement. */
function resourceNamed(on: string): string {
  if (/^\w+$/.test(on)) return `${on.toLowerCase()} table`;
  if (on.includes('StorageObjectsName')) return 'all payload objects';
  if (on.includes('StorageSecretsArn')) return 'key of secrets';
  if (/Logs\w+","Arn"/.test(on)) return 'its log group';
  return on === '"*"' ? 'no resource' : on;
}

it.each(Object.keys(rolesWithoutIngress))('%s has exactly the permissions on the page', (role) => {
  const granted = permissionsOf(template, roleNamed(template, `${role.replace('Platform/', '')}Role`)).flatMap(
    ({ on, actions }) => actions.map((action) => `${action} on ${resourceNamed(on)}`),
  );
  const explained = reasonsWithoutIngress()
    .filter((reason) => reason.role === role)
    // The policies of the endpoints' queues allow this action, not a policy of the role.
    .filter(({ action }) => action !== 'sqs:SendMessage')
    .map(({ action, resource }) => `${action} on ${resource}`);
  expect(new Set(granted)).toEqual(new Set(explained));
  expect(new Set(explained).size).toBe(explained.length);
});
