/** Cognito's routes for signing in, below `/cognito/`: keys, sign-in page, tokens, revocation and sign-out. */
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Answer, type Listener, send } from '../network/address.ts';
import { namesThisMachine } from '../network/page-refusal.ts';
import type { ClientDefinition, UserPoolDefinition, UserPools } from './definitions.ts';
import { createGrants, equal, type Redeemed } from './grants.ts';
import type { Identity } from './identity.ts';
import { codePage, refusalPage, rolesPage } from './page.ts';
import { tokensOf } from './token.ts';

/** Path of the issuers on the port of the distribution. */
export const PREFIX = '/cognito/';

export interface IssuerOptions {
  readonly identity: Identity;
  readonly userPools: UserPools;
  /** The base URL, without `PREFIX`. */
  readonly origin: string;
  /**
   * Command that opens the link with the code in a browser, as the user types it.
   * @default - none
   */
  readonly openCommand?: string | undefined;
  /**
   * Returns milliseconds since the epoch.
   * @default - the real time
   */
  readonly now?: (() => number) | undefined;
}

/**
 * Returns the URL that stores the code in a browser and opens the client; without a client, the URL of the page at
 * `/`.
 */
export const openLink = (origin: string, userPools: UserPools, { code }: Pick<Identity, 'code'>): string =>
  [...userPools.values()].some(({ clients }) => clients.length > 0) ? linkWith(origin, code) : `${origin}/`;

const linkWith = (origin: string, code: string) => `${origin}${PREFIX}open?code=${code}`;

/** Maximum size of a form, in bytes. */
const FORM_LIMIT = 16_384;

const json = (status: number, content: object): Answer => ({
  status,
  headers: [
    ['Content-Type', 'application/json'],
    ['Cache-Control', 'no-store'],
  ],
  body: JSON.stringify(content),
});

const oauthError = (error: string) => json(400, { error });

const redirect = (location: string, more: Answer['headers'] = []): Answer => ({
  status: 303,
  headers: [['Location', location], ['Cache-Control', 'no-store'], ['Referrer-Policy', 'no-referrer'], ...more],
  body: '',
});

async function formOf(incoming: IncomingMessage): Promise<URLSearchParams> {
  if (Number(incoming.headers['content-length'] ?? Number.NaN) <= FORM_LIMIT)
    return new URLSearchParams(await text(incoming));
  return new URLSearchParams();
}

interface Request {
  readonly incoming: IncomingMessage;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
}

/** Error for which the response is a page with the reason. */
class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;

  constructor(sentence: string, status = 400) {
    super(sentence);
    this.status = status;
  }
}

export function serveIssuer({ identity, userPools, origin, openCommand, now = Date.now }: IssuerOptions): Listener {
  const grants = createGrants(now);
  const base = `${origin}${PREFIX}`;
  const asking = { link: linkWith(origin, ''), openCommand };
  /** Name of the cookie. It contains the port, because browsers share cookies between the ports of a host. */
  const cookie = `sign-in-${new URL(origin).port}`;

  const clients = () => [...userPools.values()].flatMap((pool) => pool.clients.map((client) => ({ pool, client })));
  const clientOf = (parameters: URLSearchParams) =>
    clients().find(({ client }) => client.id === parameters.get('client_id'));

  const hasCode = ({ incoming }: Request) =>
    (incoming.headers.cookie ?? '')
      .split('; ')
      .some((pair) => pair.startsWith(`${cookie}=`) && equal(pair.slice(cookie.length + 1), identity.code));

  /**
   * Finds the client of a sign-in request, and its pool.
   * @throws Refused if the client or the redirect URI is unknown, so that no response can be sent to the client
   */
  function askingClient(query: URLSearchParams) {
    const found = clientOf(query);
    if (!found) throw new Refused('The client_id does not belong to a client of this deployment.');
    const { callbacks } = found.client;
    if (!callbacks.includes(query.get('redirect_uri') ?? ''))
      throw new Refused(`The client signs in only at ${callbacks.join(', ')}: open it at that address.`);
    return found;
  }

  /** Returns the code of the OAuth error for an invalid request; undefined for a valid request. */
  function refusalOf(query: URLSearchParams, client: ClientDefinition): string | undefined {
    if (query.get('response_type') !== 'code') return 'unsupported_response_type';
    if (query.get('code_challenge_method') !== 'S256' || !query.get('code_challenge')) return 'invalid_request';
    const scopes = (query.get('scope') ?? '').split(' ').filter(Boolean);
    return scopes.every((scope) => client.AllowedOAuthScopes.includes(scope)) ? undefined : 'invalid_scope';
  }

  function backTo(query: URLSearchParams, result: Readonly<Record<string, string>>): Answer {
    const location = new URL(query.get('redirect_uri') ?? '');
    for (const [name, value] of Object.entries(result)) location.searchParams.set(name, value);
    const state = query.get('state');
    if (state !== null) location.searchParams.set('state', state);
    return redirect(location.href);
  }

  /**
   * Signs in if the request selects a group. Otherwise returns the page with the groups, the page that asks for the
   * code, or an error for the client.
   */
  function authorize(request: Request, query: URLSearchParams, group = ''): Answer {
    const { pool, client } = askingClient(query);
    const refusal = refusalOf(query, client);
    if (refusal !== undefined) return backTo(query, { error: refusal });
    if (!hasCode(request)) return codePage(query.toString(), asking);
    if (!pool.groups.some(({ GroupName }) => GroupName === group)) return rolesPage(query.toString(), pool.groups);
    const signedIn = {
      group,
      pool: pool.id,
      client,
      scope: query.get('scope') ?? '',
      nonce: query.get('nonce') ?? undefined,
      at: now(),
    };
    const redirectUri = query.get('redirect_uri') ?? '';
    return backTo(query, {
      code: grants.issueCode({ signedIn, redirectUri, challenge: query.get('code_challenge') ?? '' }),
    });
  }

  /** @param text the code, or the link that contains it */
  function open(text: string, query: string): Answer {
    const code = text.trim().replace(linkWith(origin, ''), '');
    if (!equal(code, identity.code)) return codePage(query, { ...asking, status: 401 });
    // The cookie is only for the issuer's pages, not for scripts or the pages of clients, which share the origin.
    const remembered = `${cookie}=${identity.code}; Path=${PREFIX}; HttpOnly; SameSite=Strict; Max-Age=31536000`;
    const [first] = clients();
    const next = query === '' ? first?.client.logouts[0] : `${base}oauth2/authorize?${query}`;
    return redirect(next ?? `${origin}/`, [['Set-Cookie', remembered]]);
  }

  function token(form: URLSearchParams): Answer {
    const client = form.get('client_id') ?? '';
    if (!clientOf(form)) return oauthError('invalid_client');
    const redeem: Readonly<Record<string, () => Redeemed | undefined>> = {
      authorization_code: () =>
        grants.redeemCode(form.get('code') ?? '', {
          client,
          redirectUri: form.get('redirect_uri') ?? '',
          verifier: form.get('code_verifier') ?? '',
        }),
      refresh_token: () => grants.rotate(form.get('refresh_token') ?? '', client),
    };
    const type = form.get('grant_type') ?? '';
    const redeemed = Object.hasOwn(redeem, type) ? redeem[type]?.() : undefined;
    if (!Object.hasOwn(redeem, type)) return oauthError('unsupported_grant_type');
    if (!redeemed) return oauthError('invalid_grant');
    const { signedIn, refreshToken } = redeemed;
    return json(200, {
      ...tokensOf(identity, signedIn, `${base}${signedIn.pool}`, now()),
      refresh_token: refreshToken,
    });
  }

  function logout(query: URLSearchParams): Answer {
    const to = query.get('logout_uri') ?? '';
    if (clientOf(query)?.client.logouts.includes(to)) return redirect(to);
    throw new Refused('The logout_uri is not a sign-out URL of the client.');
  }

  const descriptionOf = ({ id }: UserPoolDefinition) => ({
    issuer: `${base}${id}`,
    jwks_uri: `${base}${id}/.well-known/jwks.json`,
    authorization_endpoint: `${base}oauth2/authorize`,
    token_endpoint: `${base}oauth2/token`,
    revocation_endpoint: `${base}oauth2/revoke`,
    response_types_supported: ['code'],
    id_token_signing_alg_values_supported: ['RS256'],
  });

  const ofPool: Readonly<Record<string, (pool: UserPoolDefinition) => Answer>> = {
    'GET .well-known/jwks.json': () => json(200, { keys: [identity.jwk] }),
    'GET .well-known/openid-configuration': (pool) => json(200, descriptionOf(pool)),
  };

  const pages: Readonly<Record<string, (request: Request) => Answer>> = {
    'GET oauth2/authorize': (request) => authorize(request, request.query),
    'POST oauth2/authorize': (request) =>
      authorize(request, new URLSearchParams(request.form.get('query') ?? ''), request.form.get('group') ?? ''),
    'GET open': ({ query }) => open(query.get('code') ?? '', ''),
    'POST open': ({ form }) => open(form.get('code') ?? '', form.get('query') ?? ''),
    'POST oauth2/token': ({ form }) => token(form),
    'POST oauth2/revoke': ({ form }) => {
      grants.revoke(form.get('token') ?? '', form.get('client_id') ?? '');
      return json(200, {});
    },
    'GET logout': ({ query }) => logout(query),
  };

  async function answer(incoming: IncomingMessage): Promise<Answer> {
    if (!namesThisMachine(incoming.headers)) throw new Refused('Open this page at 127.0.0.1 or localhost.', 403);
    const { pathname, searchParams: query } = new URL(incoming.url ?? '/', origin);
    const path = pathname.slice(PREFIX.length);
    const [id = '', ...rest] = path.split('/');
    const pool = userPools.get(id);
    const form = incoming.method === 'POST' ? await formOf(incoming) : new URLSearchParams();
    const answered = pool
      ? ofPool[`${incoming.method} ${rest.join('/')}`]?.(pool)
      : pages[`${incoming.method} ${path}`]?.({ incoming, query, form });
    if (!answered) throw new Refused('There is no such page.', 404);
    return answered;
  }

  return async (incoming, outgoing) => {
    const answered = await answer(incoming).catch((error: unknown) => {
      if (error instanceof Refused) return refusalPage(error.message, error.status);
      throw error;
    });
    await send(outgoing, answered);
  };
}
