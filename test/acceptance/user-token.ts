/** Signs a user in to `npm start` as a browser does: the link in the terminal, the page with the roles, and PKCE. */
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalService } from './local-service.ts';

export interface Tokens {
  readonly access_token: string;
  readonly id_token: string;
  readonly refresh_token: string;
}

const verifier = randomBytes(32).toString('base64url');

/** Returns the id of the console's app client. */
function clientOf({ stateDir }: LocalService): string {
  const outputs = JSON.parse(readFileSync(join(stateDir, 'outputs.json'), 'utf8')) as {
    Platform: { ConsoleClient: string };
  };
  return outputs.Platform.ConsoleClient;
}

/**
 * Signs in.
 * @param group one of the groups on the page
 * @throws Error with the response if the page does not offer the group, or no token is returned
 */
export async function signInAs(service: LocalService, group: string): Promise<Tokens> {
  const { origin } = new URL(service.JobApiUrl);
  const opened = await fetch(service.ConsoleUrl, { redirect: 'manual' });
  const [Cookie = ''] = (opened.headers.get('set-cookie') ?? '').split(';');
  const client = { client_id: clientOf(service), redirect_uri: `${origin}/console/signed-in` };
  const query = new URLSearchParams({
    ...client,
    response_type: 'code',
    scope: 'openid',
    state: 'any',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  const post = (path: string, form: Readonly<Record<string, string>>, headers: Record<string, string> = {}) => {
    const body = new URLSearchParams(form);
    return fetch(`${origin}/cognito/oauth2/${path}`, { method: 'POST', headers, body, redirect: 'manual' });
  };
  const page = await (await fetch(`${origin}/cognito/oauth2/authorize?${query}`, { headers: { Cookie } })).text();
  if (!page.includes(`value="${group}"`)) throw new Error(`The page does not offer ${group}: ${page}`);
  const led = await post('authorize', { query, group }, { Cookie });
  const code = new URL(led.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const form = { ...client, grant_type: 'authorization_code', code, code_verifier: verifier };
  const answered = await post('token', form);
  if (answered.status !== 200) throw new Error(`No token: ${answered.status} ${await answered.text()}`);
  return (await answered.json()) as Tokens;
}
