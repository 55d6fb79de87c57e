/**
 * Signs in with authorization code and PKCE. Tokens are in the tab's session storage: they survive a reload, and
 * are removed when the tab is closed. There is no cookie that another page could use.
 */
import type { UserManager } from 'oidc-client-ts';
import { BASE, type ConsoleConfig, SIGNED_IN } from './config.ts';

export interface SignIn {
  /** Returns the access token, renewed if it is about to expire; undefined if no user is signed in. */
  token(): Promise<string | undefined>;
  /** Opens the sign-in page, which redirects to `path` afterwards. */
  begin(path: string): Promise<void>;
  /**
   * Finishes a sign-in on the page to which the sign-in page redirects.
   * @returns the path to show
   */
  finish(): Promise<string>;
  /**
   * Returns the session as text for another window, and removes it from this window: a refresh token can be used
   * only once.
   */
  handOver(): Promise<string>;
  /**
   * Takes over the session of another window.
   * @throws if the text is not a session
   */
  adopt(session: string): Promise<void>;
  /** Revokes the tokens and opens the issuer's sign-out page. */
  end(): Promise<void>;
}

/** A token is renewed when it expires within this number of seconds. */
const RENEWED_BEFORE = 60;

const SCOPE = 'openid';

async function managerFor({ issuer, signIn, client }: ConsoleConfig): Promise<UserManager> {
  // These 17 KB are a separate chunk. Every method of `SignIn` waits until it is loaded.
  const { UserManager, WebStorageStateStore } = await import('oidc-client-ts');
  const store = new WebStorageStateStore({ store: sessionStorage });
  return new UserManager({
    authority: issuer,
    client_id: client,
    redirect_uri: new URL(SIGNED_IN, location.origin).href,
    response_type: 'code',
    scope: SCOPE,
    automaticSilentRenew: false,
    loadUserInfo: false,
    userStore: store,
    stateStore: store,
    // The issuer's metadata is on a different host than its pages. Setting the addresses here saves a request, and
    // a host in the content security policy.
    metadata: {
      issuer,
      authorization_endpoint: `${signIn}/oauth2/authorize`,
      token_endpoint: `${signIn}/oauth2/token`,
      revocation_endpoint: `${signIn}/oauth2/revoke`,
    },
  });
}

export function createSignIn(config: ConsoleConfig): SignIn {
  const managing = managerFor(config);
  let renewing: Promise<string | undefined> | undefined;

  async function renew(manager: UserManager): Promise<string | undefined> {
    try {
      return (await manager.signinSilent())?.access_token;
    } catch {
      // The refresh token has expired or was revoked: the caller asks for a new sign-in.
      await manager.removeUser();
      return undefined;
    }
  }

  return {
    async token() {
      const manager = await managing;
      const user = await manager.getUser();
      if (!user) return undefined;
      if ((user.expires_in ?? 0) > RENEWED_BEFORE) return user.access_token;
      // Concurrent requests share one renewal, because a refresh token can be used only once.
      renewing ??= renew(manager).finally(() => {
        renewing = undefined;
      });
      return renewing;
    },

    async begin(path) {
      await (await managing).signinRedirect({ state: path });
    },

    async finish() {
      const user = await (await managing).signinRedirectCallback().catch((cause: unknown) => {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new Error(`The sign-in failed: ${reason}. It might have started in another tab or too long ago.`);
      });
      return typeof user.state === 'string' && user.state.startsWith(`${BASE}/`) ? user.state : `${BASE}/`;
    },

    async handOver() {
      const manager = await managing;
      const user = await manager.getUser();
      if (!user) throw new Error('No user is signed in.');
      await manager.removeUser();
      return user.toStorageString();
    },

    async adopt(session) {
      const { User } = await import('oidc-client-ts');
      await (await managing).storeUser(User.fromStorageString(session));
    },

    async end() {
      const manager = await managing;
      await manager.revokeTokens(['refresh_token']).catch(() => undefined);
      await manager.removeUser();
      const leave = new URL(`${config.signIn}/logout`);
      leave.searchParams.set('client_id', config.client);
      leave.searchParams.set('logout_uri', new URL(`${BASE}/`, location.origin).href);
      location.assign(leave);
    },
  };
}
