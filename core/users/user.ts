/** Derives the user, with a role and an owner, from the claims of an access token. */
import { NotPermitted } from '../requests/errors.ts';
import { OWNER } from './owner.ts';
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
   * Verifies signature, issuer, client, use and times of a token.
   * @param ahead milliseconds for which the token must remain valid; by default, 0
   * @throws TokenExpired if the token is valid but expires by then
   * @throws Unauthorized
   */
  verify(token: string, ahead?: number): Promise<Claims>;
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
const OWNER_GROUP = /^owner:(?<owner>.+)$/s;

/** Owner of admins without a group `owner:NAME`, who manage the platform's own endpoints. */
const PLATFORM = 'platform';

/**
 * Returns the user of a token, with the highest role of its groups. A group `owner:NAME` sets the user's owner.
 * @throws NotPermitted for a user without a role, and for a user with several owners
 */
export function userOf({ sub, username, groups }: Claims): User {
  const role = roles.findLast((each) => groups.includes(each));
  if (!role) throw new NotPermitted(`The user is not in any of the groups ${roles.join(', ')}.`);
  const owners = groups.flatMap((group) => OWNER_GROUP.exec(group)?.groups?.owner ?? []);
  const [owner, another] = owners.filter((each) => OWNER.test(each));
  if (another !== undefined)
    throw new NotPermitted('The user is in several groups `owner:NAME`, but only one is allowed.');
  const otherwise = role === 'admin' ? PLATFORM : `user:${sub}`;
  return { id: sub, name: username, groups, role, owner: owner ?? otherwise };
}
