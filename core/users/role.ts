/**
 * The permissions of users of the console. A role is a group of the user pool and includes the permissions of all
 * lower roles.
 */

import { type Operation, operations, type TemplateScope, templateScopes } from '../operations/routes.ts';
import { minRoles } from '../operations/table.ts';

/** All roles, lowest first. */
export const roles = ['viewer', 'operator', 'admin'] as const;
export type Role = (typeof roles)[number];

/**
 * The template scopes of each role. `templates:read` permits only reads. Admins can also change templates, and
 * refer to secrets in them.
 */
export const scopesOfRole: Readonly<Record<Role, readonly TemplateScope[]>> = {
  viewer: ['templates:read'],
  operator: ['templates:read'],
  admin: templateScopes,
};

/** Returns the role and all higher ones, lowest first. */
export const rolesFrom = (minRole: Role): readonly Role[] => roles.slice(roles.indexOf(minRole));

/** Returns the roles that may call the operation, lowest first. */
export const rolesFor = (operation: Operation): readonly Role[] => rolesFrom(minRoles[operation]);

/** Returns the operations that a role may call. */
export const operationsOf = (role: Role): readonly Operation[] =>
  operations.filter((operation) => rolesFor(operation).includes(role));
