/** The user of a token: its claims become a user with a role and an owner. */
import { NotPermitted } from '../errors.ts';
import { type Role, roles } from './role.ts';

/** What a verified access token says. */
export interface Claims {
  /** Id of the user in the pool. It never changes. */
  readonly sub: string;
  /** Name of the user in the pool. */
  readonly username: string;
  readonly groups: readonly string[];
}

/** Access tokens that the user pool of this deployment issues. */
export interface Tokens {
  /**
   * Verifies signature, issuer, client, purpose and times of a token.
   * @throws TokenExpired if nothing else is wrong with it
   * @throws Unauthorized
   */
  verify(token: string): Promise<Claims>;
}

export interface User {
  readonly id: string;
  readonly name: string;
  readonly groups: readonly string[];
  readonly role: Role;
  /** The owner whose private templates the user may see and change. */
  readonly owner: string;
}

/** Printable, because API Gateway sends the owner on in a header. */
const OWNER_GROUP = /^owner:(?<owner>[!-~]+)$/;

/** The owner of admins who are in no group of an owner: that of the endpoints of the platform team. */
const PLATFORM = 'platform';

/**
 * The user of a token. The highest role of the groups counts; a group `owner:NAME` says for which owner the user acts.
 * @throws NotPermitted for a user without a role, and for a user with several owners
 */
export function userOf({ sub, username, groups }: Claims): User {
  const role = roles.findLast((each) => groups.includes(each));
  if (!role) throw new NotPermitted(`The user is in none of the groups ${roles.join(', ')}.`);
  const [owner, another] = groups.flatMap((group) => OWNER_GROUP.exec(group)?.groups?.owner ?? []);
  if (another !== undefined) throw new NotPermitted('The user is in several groups `owner:NAME`; one is allowed.');
  const otherwise = role === 'admin' ? PLATFORM : `user:${sub}`;
  return { id: sub, name: username, groups, role, owner: owner ?? otherwise };
}
