/** Who calls: a program with a client key, or a user of the console with an access token. */
import { type Operation, operations } from '../routes.ts';
import { operationsOf, scopesOfRole } from '../users/role.ts';
import type { User } from '../users/user.ts';
import { idOf, type KeyRecord, mayCall, type TemplateScope } from './key.ts';

/** Kinds of callers: each kind has rate limits of its own. */
export type CallerKind = 'key' | 'user';

export interface Caller {
  readonly kind: CallerKind;
  /** Names the caller in the access log: the beginning of the key's hash, or the id of the user. */
  readonly id: string;
  /** Name of the key or of the user. */
  readonly name: string;
  readonly owner: string;
  /** Groups of the user; a key has none. */
  readonly groups: readonly string[];
  /** Ids of the endpoints that the caller may call; `*` is every one. */
  readonly endpoints: readonly string[];
  /** What the caller may call: computed when it is asked for, because only `GET /session` needs it. */
  readonly operations: () => readonly Operation[];
  readonly scopes: readonly TemplateScope[];
}

export const callerOfKey = (key: KeyRecord): Caller => ({
  kind: 'key',
  id: idOf(key),
  name: key.name,
  owner: key.owner,
  groups: [],
  endpoints: key.endpoints,
  operations: () => operations.filter((operation) => mayCall(key, operation)),
  scopes: key.scopes,
});

export const callerOfUser = ({ id, name, owner, groups, role }: User): Caller => ({
  kind: 'user',
  id,
  name,
  owner,
  groups,
  endpoints: ['*'],
  operations: () => operationsOf(role),
  scopes: scopesOfRole[role],
});
