/** The tokens of a user pool, with the claims that Cognito gives them. */
import { createHash, randomUUID, sign } from 'node:crypto';
import type { ClientDefinition } from './definitions.ts';
import type { Identity } from './identity.ts';

/** A user's sign-in. Renewing a refresh token does not extend the sign-in. */
export interface SignedIn {
  /** The group of the user, which is also the name of the user. */
  readonly group: string;
  readonly pool: string;
  readonly client: ClientDefinition;
  readonly scope: string;
  /** The nonce of the request, returned in ID tokens. */
  readonly nonce: string | undefined;
  /** Time of the sign-in, in milliseconds since the epoch. */
  readonly at: number;
}

const MINUTE = 60_000;

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function signed({ kid, privateKey }: Identity, claims: object): string {
  const text = `${part({ kid, alg: 'RS256' })}.${part(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
}

/** Returns the id of a user, which is the same in each run. */
function subOf({ pool, group }: SignedIn): string {
  const hex = createHash('sha256').update(`${pool}/${group}`).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

/**
 * Creates an access token and an ID token.
 * @param issuer URL of the pool
 * @param now milliseconds since the epoch
 */
export function tokensOf(identity: Identity, signedIn: SignedIn, issuer: string, now: number) {
  const { group, client, scope, nonce, at } = signedIn;
  const seconds = (time: number) => Math.floor(time / 1000);
  const common = {
    sub: subOf(signedIn),
    'cognito:groups': [group],
    iss: issuer,
    auth_time: seconds(at),
    iat: seconds(now),
  };
  const until = (minutes: number) => ({ exp: seconds(now + minutes * MINUTE), jti: randomUUID() });
  return {
    access_token: signed(identity, {
      ...common,
      ...until(client.AccessTokenValidity),
      version: 2,
      client_id: client.id,
      token_use: 'access',
      scope,
      username: group,
    }),
    id_token: signed(identity, {
      ...common,
      ...until(client.IdTokenValidity),
      aud: client.id,
      token_use: 'id',
      'cognito:username': group,
      ...(nonce !== undefined && { nonce }),
    }),
    token_type: 'Bearer',
    expires_in: (client.AccessTokenValidity * MINUTE) / 1000,
  };
}
