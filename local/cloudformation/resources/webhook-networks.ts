/** Name of the variable with the private networks to which webhooks may be sent. */
const VARIABLE = 'WEBHOOK_NETWORKS';

/**
 * Returns the variables of a function or container. If webhooks are sent to networks of its choice, networks of this machine
 * take their place, because receivers of webhooks run here while a client is tried out.
 */
export const withLocalNetworks = (
  variables: Readonly<Record<string, string>>,
  networks: string,
): Readonly<Record<string, string>> => (VARIABLE in variables ? { ...variables, [VARIABLE]: networks } : variables);
