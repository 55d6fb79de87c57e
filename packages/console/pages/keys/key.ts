/** API keys as `GET /v1/keys` and `POST /v1/keys` return them. */
import type { KeyList } from '../../api/management-types.ts';

export type ApiKey = KeyList['keys'][number];

export const EVERY = '*';

/** @returns whether the key has expired, so that the service refuses it */
export const isExpired = ({ expiresAt }: Pick<ApiKey, 'expiresAt'>, now: number): boolean =>
  expiresAt !== undefined && Date.parse(expiresAt) <= now;
