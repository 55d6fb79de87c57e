/** Derives the user, with a role and an owner, from the claims of an access token. */
import { NotPermitted } from '../requests/errors.ts';
import { OWNER, ownerMust, PLATFORM } from './owner.ts';
import { type Role, roles } from './role.ts';

/** The claims of a verified access token. */
export interface Claims {
  /** Permanent id of the user in the pool. */
  readonly sub: string;
  /** Name of the user in the pool. */
  readonly username: string;
  readonly groups: readonly string[];
}

/** Port that verifies access tokens of this deployment's user pool. */
export interface Tokens {
  /**
   * Verifies signature, issuer, client, token use and times of a token.
   * @param minValidity time for which the token must remain valid, in milliseconds; by default, 0
   * @throws TokenExpired if the token is valid but expires by then
   * @throws Unauthorized
   */
  verify(token: string, minValidity?: number): Promise<Claims>;
}

export interface User {
  readonly id: string;
  readonly name: string;
  readonly groups: readonly string[];
  readonly role: Role;
  /** The owner whose private templates the user can see and change. */
  readonly owner: string;
}

/** Form of a group that sets an owner. */
const OWNER_GROUP = /^owner:(?<owner>.*)$/s;

/** Returns the text as JSON in ASCII: the message becomes a part of API Gateway's response. */
const inAscii = (text: string) =>
  JSON.stringify(text).replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Returns the owner that a group `owner:NAME` sets, or undefined without such a group.
 * @throws NotPermitted for a group with an invalid owner, and for several owners
 */
function ownerIn(groups: readonly string[]): string | undefined {
  const owners = groups.flatMap((group) => {
    const owner = OWNER_GROUP.exec(group)?.groups?.owner;
    if (owner !== undefined && !OWNER.test(owner))
      throw new NotPermitted(`The name after \`owner:\` in the group ${inAscii(group)} ${ownerMust}.`);
    return owner ?? [];
  });
  if (owners.length > 1) throw new NotPermitted('The user is in several groups `owner:NAME`, but only one is allowed.');
  return owners[0];
}

/**
 * Returns the user of a token, with the highest role of its groups. A group `owner:NAME` sets the user's owner.
 * Without such a group, the owner of an admin is that of the deployment's own endpoints.
 * @throws NotPermitted for a user without a role, with several owners or with an invalid owner
 */
export function userOf({ sub, username, groups }: Claims): User {
  const role = roles.findLast((each) => groups.includes(each));
  if (!role) throw new NotPermitted(`The user is not in any of the groups ${roles.join(', ')}.`);
  const owner = ownerIn(groups) ?? (role === 'admin' ? PLATFORM : `user:${sub}`);
  return { id: sub, name: username, groups, role, owner };
}
