/** The permissions boundary of all roles: none, unless the context `permissionsBoundary` names a policy. */
import { PermissionsBoundary } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { allowedBy, type Setting } from '../settings/field-text.ts';
import { InvalidSetting } from '../settings/settings.ts';

const SETTING = 'permissionsBoundary';
const nameMust =
  'must be the name of a managed policy of the account: 1 to 128 characters of a-z, A-Z, 0-9 and +=,.@_-, such as gpu-endpoints-boundary';
const NAME = /^[\w+=,.@-]{1,128}$/;

/**
 * Returns the permissions boundary, or undefined without the setting. A stack that gets it has it on every role,
 * including those that the CDK adds.
 * @throws InvalidSetting
 */
export function permissionsBoundaryOf(scope: IConstruct): PermissionsBoundary | undefined {
  const value: unknown = scope.node.tryGetContext(SETTING);
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string' && NAME.test(value)) return PermissionsBoundary.fromName(value);
  throw new InvalidSetting(`The context \`${SETTING}\` ${nameMust}, got ${JSON.stringify(value)}.`);
}

export const permissionsBoundarySetting: Setting = {
  read: permissionsBoundaryOf,
  text: {
    description: 'Managed policy of the account that limits every role of the stacks, as their permissions boundary.',
    type: 'string',
    without: 'no permissions boundary',
    allowed: allowedBy(nameMust),
    guide: 'permissionsBoundary',
  },
};
