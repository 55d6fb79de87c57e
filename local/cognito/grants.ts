/** The issued codes and refresh tokens. They are kept in memory, so a new run needs a new sign-in. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SignedIn } from './token.ts';

/** Milliseconds that a code is valid, as in Cognito. */
const CODE_LIFE = 5 * 60_000;
const HOUR = 3_600_000;

interface Code {
  readonly signedIn: SignedIn;
  readonly redirectUri: string;
  /** SHA-256 of the verifier, in base64url. */
  readonly challenge: string;
  readonly validUntil: number;
}

interface Refresh {
  readonly signedIn: SignedIn;
  /** Shared by all refresh tokens of a sign-in: all are revoked together. */
  readonly family: string;
  validUntil: number;
}

export interface Redeemed {
  readonly signedIn: SignedIn;
  readonly refreshToken: string;
}

export interface Grants {
  giveCode(grant: Omit<Code, 'validUntil'>): string;
  /** Redeems a code, once. @returns undefined if the code, the client, the address or the verifier is wrong */
  redeemCode(code: string, asked: { client: string; redirectUri: string; verifier: string }): Redeemed | undefined;
  /** Gives a new refresh token for one that is valid; the old one stays valid for the seconds of the client. */
  rotate(refreshToken: string, client: string): Redeemed | undefined;
  /** Ends the sign-in of a refresh token, if the client has it. */
  revoke(refreshToken: string, client: string): void;
}

const random = () => randomBytes(32).toString('base64url');

export function equal(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

/** @param now milliseconds since the epoch */
export function createGrants(now: () => number): Grants {
  const codes = new Map<string, Code>();
  const refreshes = new Map<string, Refresh>();

  function giveRefresh(refresh: Refresh): Redeemed {
    for (const [token, { validUntil }] of refreshes) if (validUntil <= now()) refreshes.delete(token);
    const refreshToken = random();
    refreshes.set(refreshToken, refresh);
    return { signedIn: refresh.signedIn, refreshToken };
  }

  return {
    giveCode(grant) {
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
      return giveRefresh({ signedIn, family: random(), validUntil });
    },

    rotate(refreshToken, client) {
      const refresh = refreshes.get(refreshToken);
      if (!refresh || refresh.validUntil <= now() || refresh.signedIn.client.id !== client) return undefined;
      const redeemed = giveRefresh({ ...refresh });
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
