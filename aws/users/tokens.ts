/** Verifies access tokens of the user pool. The keys of the issuer are read over HTTP and cached. */
import { FetchError, JwksValidationError, JwtBaseError, JwtExpiredError } from 'aws-jwt-verify/error';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import { JwtVerifier } from 'aws-jwt-verify/jwt-verifier';
import * as z from 'zod/mini';
import { SECOND } from '../../core/limits.ts';
import { TokenExpired, Unauthorized } from '../../core/requests/errors.ts';
import type { Tokens } from '../../core/users/user.ts';

export interface Issuer {
  /** The claim `iss`. The keys are below this address. */
  readonly issuer: string;
  /** Id of the client that valid tokens were issued to. */
  readonly client: string;
}

/** Milliseconds, less than the time that API Gateway waits for the authorizer. */
const FETCH_LIMIT = 3 * SECOND;

/** Access tokens of Cognito have the client in the claim `client_id`, and no audience. */
const claimsSchema = z.object({
  sub: z.string(),
  username: z.string(),
  exp: z.number(),
  'cognito:groups': z._default(z.array(z.string()), []),
});

/** Reads keys over HTTPS or HTTP. The library's own fetcher does not support HTTP, which the local issuer uses. */
async function fetchKeys(uri: string): Promise<ArrayBuffer> {
  const response = await fetch(uri, { signal: AbortSignal.timeout(FETCH_LIMIT), redirect: 'error' });
  if (!response.ok) throw new Error(`${uri} answered with status ${response.status}.`);
  return response.arrayBuffer();
}

/**
 * Returns whether the error is thrown unchanged: errors of this file, and failures to read the keys. Every other error of
 * the library means that the token is invalid. This includes a token with an unknown key, for which the library reads the
 * keys again at most every 10 s.
 */
const isPassedOn = (error: unknown) =>
  !(error instanceof JwtBaseError) || error instanceof FetchError || error instanceof JwksValidationError;

/** Returns the error for the client. */
const refusalOf = (cause: unknown): Unauthorized | TokenExpired =>
  cause instanceof JwtExpiredError
    ? new TokenExpired({ cause })
    : new Unauthorized('The access token is not valid for this deployment: sign in to the console again.', { cause });

export function createTokens({ issuer, client }: Issuer): Tokens {
  const verifier = JwtVerifier.create(
    {
      issuer,
      audience: null,
      jwksUri: `${issuer}/.well-known/jwks.json`,
      customJwtCheck({ header, payload }) {
        // The library does not check this header, which names extensions that a recipient must understand (RFC 7515).
        if (Object.hasOwn(header, 'crit'))
          throw new Unauthorized('The token has the header `crit`, and this service understands no extensions.');
        if (payload.token_use !== 'access' || payload.client_id !== client)
          throw new Unauthorized('The token is not an access token for the console of this deployment.');
      },
    },
    { jwksCache: new SimpleJwksCache({ fetcher: { fetch: fetchKeys } }) },
  );
  return {
    async verify(token, minValidity = 0) {
      try {
        const claims = claimsSchema.safeParse(await verifier.verify(token));
        if (!claims.success) throw new Unauthorized('The access token lacks claims: sign in to the console again.');
        const { sub, username, exp, 'cognito:groups': groups } = claims.data;
        if (exp * SECOND < Date.now() + minValidity) throw new TokenExpired();
        return { sub, username, groups };
      } catch (error) {
        throw isPassedOn(error) ? error : refusalOf(error);
      }
    },
  };
}
