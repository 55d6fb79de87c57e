/** Where the console signs in. The deployment writes it beside the files of the console. */

export interface ConsoleConfig {
  /** The issuer of the tokens. */
  readonly issuer: string;
  /**
   * Base address of the sign-in pages: `/oauth2/authorize`, `/oauth2/token`, `/oauth2/revoke` and `/logout` are below
   * it.
   */
  readonly signIn: string;
  /** Id of the console's public client. */
  readonly client: string;
}

/** Path of every page of the console. */
export const BASE = '/console';

/** Path that the sign-in pages lead back to. */
export const SIGNED_IN = `${BASE}/signed-in`;

/** @throws Error if the deployment has none */
export async function readConfig(): Promise<ConsoleConfig> {
  const response = await fetch(`${BASE}/config.json`, { cache: 'no-store' });
  if (!response.ok) throw new Error(`${BASE}/config.json answers ${response.status}; deploy the console again.`);
  return (await response.json()) as ConsoleConfig;
}
