/** The issued codes and refresh tokens. They are in memory only, so each run needs a new sign-in. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SignedIn } from './token.ts';

/** Milliseconds for which a code is valid, as in Cognito. */
const CODE_LIFE = 5 * 60_000;
const HOUR = 3_600_000;

interface Code {
  readonly signedIn: SignedIn;
  readonly redirectUri: string;
  /** SHA-256 of the PKCE verifier, in base64url. */
  readonly challenge: string;
  readonly validUntil: number;
}

interface Refresh {
  readonly signedIn: SignedIn;
  /** Id that all refresh tokens of a sign-in share, so that they are revoked together. */
  readonly family: string;
  validUntil: number;
}

export interface Redeemed {
  readonly signedIn: SignedIn;
  readonly refreshToken: string;
}

export interface Grants {
  issueCode(grant: Omit<Code, 'validUntil'>): string;
  /**
   * Redeems a code, which can be redeemed only one time.
   * @returns undefined if the code has expired, or the code, the client, the redirect URI or the verifier is wrong
   */
  redeemCode(code: string, asked: { client: string; redirectUri: string; verifier: string }): Redeemed | undefined;
  /** Exchanges a valid refresh token for a new one. The old token remains valid for the client's grace period. */
  rotate(refreshToken: string, client: string): Redeemed | undefined;
  /** Revokes all refresh tokens of a sign-in, if the token belongs to the client. */
  revoke(refreshToken: string, client: string): void;
}

const random = () => randomBytes(32).toString('base64url');

export function equal(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

/**
 * Creates the store of codes and refresh tokens.
 * @param now milliseconds since the epoch
 */
export function createGrants(now: () => number): Grants {
  const codes = new Map<string, Code>();
  const refreshes = new Map<string, Refresh>();

  function issueRefresh(refresh: Refresh): Redeemed {
    for (const [token, { validUntil }] of refreshes) if (validUntil <= now()) refreshes.delete(token);
    const refreshToken = random();
    refreshes.set(refreshToken, refresh);
    return { signedIn: refresh.signedIn, refreshToken };
  }

  return {
    issueCode(grant) {
      for (const [code, { validUntil }] of codes) if (validUntil <= now()) codes.delete(code);
      const code = random();
      codes.set(code, { ...grant, validUntil: now() + CODE_LIFE });
      return code;
    },

    redeemCode(code, { client, redirectUri, verifier }) {
      const grant = codes.get(code);
      codes.delete(code);
      if (!grant || grant.validUntil <= now()) return undefined;
      const { signedIn, challenge } = grant;
      if (signedIn.client.id !== client || grant.redirectUri !== redirectUri) return undefined;
      if (!equal(createHash('sha256').update(verifier).digest('base64url'), challenge)) return undefined;
      const validUntil = now() + signedIn.client.RefreshTokenValidity * HOUR;
      return issueRefresh({ signedIn, family: random(), validUntil });
    },

    rotate(refreshToken, client) {
      const refresh = refreshes.get(refreshToken);
      if (!refresh || refresh.validUntil <= now() || refresh.signedIn.client.id !== client) return undefined;
      const redeemed = issueRefresh({ ...refresh });
      const { RetryGracePeriodSeconds } = refresh.signedIn.client.RefreshTokenRotation;
      refresh.validUntil = Math.min(refresh.validUntil, now() + RetryGracePeriodSeconds * 1000);
      return redeemed;
    },

    revoke(refreshToken, client) {
      const refresh = refreshes.get(refreshToken);
      if (!refresh || refresh.signedIn.client.id !== client) return;
      for (const [token, { family }] of refreshes) if (family === refresh.family) refreshes.delete(token);
    },
  };
}
