/** Callers: programs with a client key, and users of the console with an access token. */

import { idOf, type KeyRecord, mayCall } from '../keys/client-keys.ts';
import { type CallerKind, type Operation, operations, type TemplateScope } from '../operations/routes.ts';
import { operationsOf, scopesOfRole } from '../users/role.ts';
import type { User } from '../users/user.ts';

export interface Caller {
  readonly kind: CallerKind;
  /** Names the caller in the access log: the beginning of the key's hash, or the id of the user. */
  readonly id: string;
  /** Name of the key or of the user. */
  readonly name: string;
  readonly owner: string;
  /** Groups of the user; empty for a key. */
  readonly groups: readonly string[];
  /** Ids of the endpoints that the caller may call; `*` means all endpoints. */
  readonly endpoints: readonly string[];
  /** Returns the operations that the caller may call. Computed lazily, because only `GET /session` needs them. */
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

/** Response of `GET /session`: the caller and its permissions. */
export interface Session {
  /** Name of the user, or of the key. */
  readonly user: string;
  readonly groups: readonly string[];
  readonly owner: string;
  readonly operations: readonly string[];
  /** `*` means all endpoints. */
  readonly endpoints: readonly string[];
}

export const sessionOf = ({ name, groups, owner, operations, endpoints }: Caller): Session => ({
  user: name,
  groups,
  owner,
  operations: operations(),
  endpoints,
});
