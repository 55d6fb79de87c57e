/**
 * The permissions of users of the console. A role is a group of the user pool and includes the permissions of all
 * lower roles.
 */
import { type Operation, operations, type TemplateScope, templateScopes } from '../routes.ts';

export const roles = ['viewer', 'operator', 'admin'] as const;
export type Role = (typeof roles)[number];

/** The lowest role that may call each operation. */
const leastRoles: Readonly<Record<Operation, Role>> = {
  session: 'viewer',
  endpoints: 'viewer',
  releases: 'viewer',
  'list-templates': 'viewer',
  'read-template': 'viewer',
  status: 'viewer',
  'status-sync': 'viewer',
  stream: 'viewer',
  logs: 'viewer',
  requests: 'viewer',
  webhooks: 'viewer',
  health: 'viewer',
  workers: 'viewer',
  'find-job': 'viewer',
  input: 'viewer',
  run: 'operator',
  runsync: 'operator',
  openai: 'operator',
  cancel: 'operator',
  retry: 'operator',
  resend: 'operator',
  resume: 'operator',
  'create-template': 'admin',
  'update-template': 'admin',
  'remove-template': 'admin',
  'purge-queue': 'admin',
  'list-keys': 'admin',
  'create-key': 'admin',
  'revoke-key': 'admin',
};

/**
 * The template scopes of each role. `templates:read` permits only reads. Admins can also change templates, and
 * refer to secrets in them.
 */
export const scopesOfRole: Readonly<Record<Role, readonly TemplateScope[]>> = {
  viewer: ['templates:read'],
  operator: ['templates:read'],
  admin: templateScopes,
};

/** Returns the roles that may call the operation, lowest first. */
export const rolesFor = (operation: Operation): readonly Role[] => roles.slice(roles.indexOf(leastRoles[operation]));

/** Returns the operations that a role may call. */
export const operationsOf = (role: Role): readonly Operation[] =>
  operations.filter((operation) => rolesFor(operation).includes(role));
