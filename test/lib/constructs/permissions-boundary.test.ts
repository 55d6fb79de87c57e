import { describe, expect, it } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { permissionsBoundaryOf } from '../../../lib/constructs/permissions-boundary.ts';
import { synthesizeWith } from '../synthesis.ts';

const from = (permissionsBoundary: unknown) => permissionsBoundaryOf(new App({ context: { permissionsBoundary } }));

describe('the setting permissionsBoundary', () => {
  it('is off by default, and then no role has a boundary', () => {
    expect([from(undefined), from('')]).toEqual([undefined, undefined]);
    const stacks = Object.values(synthesizeWith({}));
    const roles = stacks.flatMap(({ template }) => Object.values(template.findResources('AWS::IAM::Role')));
    expect(roles.length).toBeGreaterThan(30);
    for (const { Properties } of roles) expect(Properties).not.toHaveProperty('PermissionsBoundary');
  });

  it.each(['a', 'gpu-endpoints-boundary', 'Team_1+x=y,z.@-', 'x'.repeat(128)])('accepts %s', (name) => {
    expect(from(name)).toBeDefined();
  });

  it.each(['x'.repeat(129), 'arn:aws:iam::123456789012:policy/boundary', 'two words', 'a$b', 5, ['boundary']])(
    'refuses %j with the allowed values',
    (value) => {
      expect(() => from(value)).toThrow(
        `The context \`permissionsBoundary\` must be the name of a managed policy of the account: 1 to 128 characters of a-z, A-Z, 0-9 and +=,.@_-, such as gpu-endpoints-boundary, got ${JSON.stringify(value)}.`,
      );
    },
  );
});
