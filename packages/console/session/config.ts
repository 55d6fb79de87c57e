/** Reads the configuration of the sign-in. The deployment stores it beside the files of the console. */

export interface ConsoleConfig {
  /** Issuer of the tokens. */
  readonly issuer: string;
  /**
   * Base address of the sign-in pages: `/oauth2/authorize`, `/oauth2/token`, `/oauth2/revoke` and `/logout` are below
   * it.
   */
  readonly signIn: string;
  /** Id of the console's public client. */
  readonly client: string;
}

/** Path prefix of all pages of the console. */
export const BASE = '/console';

/** Path to which the sign-in pages redirect. */
export const SIGNED_IN = `${BASE}/signed-in`;

/** @throws Error if the deployment has no configuration for the console */
export async function readConfig(): Promise<ConsoleConfig> {
  const response = await fetch(`${BASE}/config.json`, { cache: 'no-store' });
  if (!response.ok) throw new Error(`${BASE}/config.json returns ${response.status}. Deploy the console again.`);
  return (await response.json()) as ConsoleConfig;
}
