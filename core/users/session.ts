/** `GET /session`: the caller, and what the caller may do. */
import type { Caller } from '../keys/caller.ts';

export interface Session {
  /** Name of the user, or of the key. */
  readonly user: string;
  readonly groups: readonly string[];
  readonly owner: string;
  readonly operations: readonly string[];
  /** `*` is every endpoint. */
  readonly endpoints: readonly string[];
}

export const sessionOf = ({ name, groups, owner, operations, endpoints }: Caller): Session => ({
  user: name,
  groups,
  owner,
  operations: operations(),
  endpoints,
});
