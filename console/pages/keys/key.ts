/** API keys as `GET /v1/keys` and `POST /v1/keys` return them. */

export interface ApiKey {
  /** The beginning of the hash of its secret. */
  readonly id: string;
  readonly name: string;
  /** Whose templates it reads and changes. */
  readonly owner: string;
  /** Endpoint ids; `*` is every one. */
  readonly endpoints: readonly string[];
  /** Operations of the job interface and of endpoints; `*` is every one. */
  readonly operations: readonly string[];
  /** What it may do with templates. */
  readonly scopes: readonly string[];
  readonly createdAt: string;
  /** Absent if the key does not expire. */
  readonly expiresAt?: string;
}

export interface KeyList {
  readonly keys: readonly ApiKey[];
}

/** The response to the request that creates a key: the only one that has the secret. */
export interface CreatedKey extends ApiKey {
  readonly secret: string;
}

export const EVERY = '*';

/** Whether the service refuses the key by now. */
export const isExpired = ({ expiresAt }: Pick<ApiKey, 'expiresAt'>, now: number): boolean =>
  expiresAt !== undefined && Date.parse(expiresAt) <= now;
